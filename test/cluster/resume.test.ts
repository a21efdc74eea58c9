import { beforeAll, expect, test } from "vitest";
import { annotations } from "../../functions/domain/annotations.ts";
import { startClawOperator } from "../support/claw-operator.ts";
import { installCrd } from "../support/crds/install.ts";
import { describeOnRealCluster, realKubeConfig } from "../support/real-cluster.ts";
import { killAndResume, killsOf } from "./kills.ts";
import { openLab } from "./lab.ts";
import { suiteWithRegistry } from "./suite.ts";

/** Every state that does something, on the way up and on the way down, at its beginning, in its middle and at its end. */
const kills = {
  success: ["ApplyUpdate", "WaitForRollout", "CheckReadiness", "RecordSuccess"],
  failure: ["ApplyUpdate", "WaitForRollout", "CheckReadiness", "RollBack", "OpenCircuit"],
};

describeOnRealCluster("kill -9, and start again", () => {
  const suite = suiteWithRegistry();

  beforeAll(async () => {
    await suite.registry.pushImage("shop/good", ["1.0.0", "1.1.0"]);
    await suite.registry.pushImage("shop/bad", ["1.0.0", "1.1.0-bad"]);
    await suite.registry.pushImage("agents/openclaw", ["0.1.0-bad"]);
    await installCrd(realKubeConfig(), "claw");
    const operator = await startClawOperator(realKubeConfig());
    suite.closing({ close: () => operator.stop() });
  });

  test.concurrent.for(killsOf(kills.success))("a Deployment that becomes healthy: $state $at", async (kill) => {
    const lab = await openLab(suite);
    await lab.make("Deployment", "web", `${suite.registry.host}/shop/good:1.0.0`);
    await killAndResume(lab, kill);
    const { image, bookkeeping, inFlight } = await lab.workload("web");
    expect({ image, inFlight }).toEqual({ image: `${suite.registry.host}/shop/good:1.1.0`, inFlight: null });
    expect(bookkeeping).toMatchObject({ currentVersion: "1.1.0", rollbackCount: 0, failedVersions: [] });
    expect(bookkeeping.versionHistory).toHaveLength(1);
    expect((await lab.eventsOf("web")).filter((reason) => reason === "AutoUpdateRollback")).toEqual([]);
  });

  test.concurrent.for(killsOf(kills.failure))("a StatefulSet that does not: $state $at", async (kill) => {
    const lab = await openLab(suite);
    await lab.make("StatefulSet", "store", `${suite.registry.host}/shop/bad:1.0.0`, {
      [annotations.maxRollbacks]: "1",
      [annotations.healthTimeout]: "30s",
    });
    await killAndResume(lab, kill);
    const { image, bookkeeping, inFlight } = await lab.workload("store");
    expect({ image, inFlight }).toEqual({ image: `${suite.registry.host}/shop/bad:1.0.0`, inFlight: null });
    expect(bookkeeping).toMatchObject({ rollbackCount: 1, circuitOpen: true, failedVersions: ["1.1.0-bad"] });
    expect(bookkeeping.versionHistory).toHaveLength(1);
  });

  test.concurrent.for(killsOf(["ApplyUpdate", "RollBack"]))(
    "a Claw, whose state is two writes: $state $at",
    async (kill) => {
      const lab = await openLab(suite);
      await lab.makeClaw("helper", { versionConstraint: "<1.0.0-0", healthTimeout: "2m", maxRollbacks: 1 });
      await killAndResume(lab, kill);
      const { image, bookkeeping, inFlight } = await lab.workload("helper");
      expect({ image, inFlight }).toEqual({ image: null, inFlight: null });
      expect(bookkeeping).toMatchObject({ rollbackCount: 1, circuitOpen: true, failedVersions: ["0.1.0-bad"] });
      expect(bookkeeping.versionHistory).toHaveLength(1);
    },
  );
});
