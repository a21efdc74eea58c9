import { beforeAll, expect, test } from "vitest";
import { annotations } from "../../../functions/domain/workload/policy/annotations.ts";
import { startClawOperator } from "../../support/real/claw-operator.ts";
import { installCrd } from "../../support/crds/install.ts";
import { isSoak } from "../../support/property-runs.ts";
import { describeOnRealCluster, realKubeConfig } from "../../support/real-cluster.ts";
import { allCrashPoints, killAndResume, sampleCrashPoints } from "./crash-points.ts";
import { openClusterHarness } from "../harness.ts";
import { killAtEach } from "./killed-writes.ts";
import { createSuite } from "../suite.ts";

/** The states that write nothing of an update: kills between writes are a test of their own. */
const states = {
  success: ["WaitForRollout", "CheckReadiness"],
  failure: ["CheckReadiness", "WaitForRollback", ...(isSoak ? ["OpenCircuit"] : [])],
};

describeOnRealCluster("an update that is killed by SIGKILL, and resumed", () => {
  const suite = createSuite();

  beforeAll(async () => {
    await suite.registry.pushImage("shop/good", ["1.0.0", "1.1.0"]);
    await suite.registry.pushImage("shop/bad", ["1.0.0", "1.1.0-bad"]);
    await suite.registry.pushImage("agents/openclaw", ["0.1.0-bad"]);
    await installCrd(realKubeConfig(), "claw");
    const operator = await startClawOperator(realKubeConfig());
    suite.closeAfterAll({ close: () => operator.stop() });
  });

  test.concurrent("a Deployment that becomes healthy, with a kill between any two writes", async () => {
    const harness = await openClusterHarness(suite);
    await harness.create("Deployment", "web", `${suite.registry.host}/shop/good:1.0.0`, {
      // No process that is killed waits for it, whatever its start takes on a busy machine.
      [annotations.healthTimeout]: "2h",
    });
    await killAtEach(harness, suite.folder, [
      { at: "after", write: "create AutoUpdate" },
      { at: "before", write: "claim" },
      { at: "after", write: "claim" },
      { at: "before", write: "change workload" },
      { at: "after", write: "change workload" },
      { at: "after", write: "mark applied" },
      { at: "before", write: "release" },
      { at: "after", write: "release" },
    ]);
    const { image, updateRecord, inFlight } = await harness.workload("web");
    expect({ image, inFlight }).toEqual({ image: `${suite.registry.host}/shop/good:1.1.0`, inFlight: null });
    expect(updateRecord).toMatchObject({ currentVersion: "1.1.0", rollbackCount: 0, failedVersions: [] });
    expect(updateRecord.versionHistory.map(({ version, status }) => [version, status])).toEqual([["1.1.0", "Healthy"]]);
  });

  test.concurrent("a StatefulSet that is rolled back, with a kill between any two writes", async () => {
    const harness = await openClusterHarness(suite);
    await harness.create("StatefulSet", "store", `${suite.registry.host}/shop/bad:1.0.0`, {
      [annotations.maxRollbacks]: "1",
      [annotations.healthTimeout]: "5m",
    });
    await killAtEach(harness, suite.folder, [
      { at: "before", write: "record rollback" },
      { at: "after", write: "record rollback" },
      { at: "after", write: "change workload" },
      { at: "after", write: "mark restored" },
      { at: "after", write: "delete pod" },
      { at: "before", write: "release" },
      { at: "after", write: "release" },
    ]);
    const { image, updateRecord, inFlight, rollout } = await harness.workload("store");
    expect({ image, inFlight }).toEqual({ image: `${suite.registry.host}/shop/bad:1.0.0`, inFlight: null });
    expect(updateRecord).toMatchObject({ rollbackCount: 1, circuitOpen: true, failedVersions: ["1.1.0-bad"] });
    expect(updateRecord.versionHistory).toHaveLength(1);
    expect(rollout?.desiredReplicas).toBe(3);
  });

  test.concurrent.for(sampleCrashPoints(states.success, "exited"))(
    "a Deployment that becomes healthy: $state $at",
    async (crashPoint) => {
      const harness = await openClusterHarness(suite);
      await harness.create("Deployment", "web", `${suite.registry.host}/shop/good:1.0.0`);
      await killAndResume(harness, crashPoint);
      const { image, updateRecord, inFlight } = await harness.workload("web");
      expect({ image, inFlight }).toEqual({ image: `${suite.registry.host}/shop/good:1.1.0`, inFlight: null });
      expect(updateRecord).toMatchObject({ currentVersion: "1.1.0", rollbackCount: 0, failedVersions: [] });
      expect(updateRecord.versionHistory).toHaveLength(1);
      expect((await harness.eventsOf("web")).filter((reason) => reason === "AutoUpdateRollback")).toEqual([]);
    },
  );

  test.concurrent.for(sampleCrashPoints(states.failure, "entered"))(
    "a StatefulSet that does not become healthy: $state $at",
    async (crashPoint) => {
      const harness = await openClusterHarness(suite);
      await harness.create("StatefulSet", "store", `${suite.registry.host}/shop/bad:1.0.0`, {
        [annotations.maxRollbacks]: "1",
        [annotations.healthTimeout]: "5m",
      });
      await killAndResume(harness, crashPoint);
      const { image, updateRecord, inFlight } = await harness.workload("store");
      expect({ image, inFlight }).toEqual({ image: `${suite.registry.host}/shop/bad:1.0.0`, inFlight: null });
      expect(updateRecord).toMatchObject({ rollbackCount: 1, circuitOpen: true, failedVersions: ["1.1.0-bad"] });
      expect(updateRecord.versionHistory).toHaveLength(1);
    },
  );

  test.concurrent.for(allCrashPoints(["ApplyUpdate", "RollBack"]))(
    "a Claw, whose update is two writes: $state $at",
    async (crashPoint) => {
      const harness = await openClusterHarness(suite);
      await harness.createClaw("helper", { versionConstraint: "<1.0.0-0", healthTimeout: "2m", maxRollbacks: 1 });
      await killAndResume(harness, crashPoint);
      const { image, updateRecord, inFlight } = await harness.workload("helper");
      expect({ image, inFlight }).toEqual({ image: null, inFlight: null });
      expect(updateRecord).toMatchObject({ rollbackCount: 1, circuitOpen: true, failedVersions: ["0.1.0-bad"] });
      expect(updateRecord.versionHistory).toHaveLength(1);
    },
  );
});
