import { beforeAll, expect, test } from "vitest";
import { annotations } from "../../functions/domain/annotations.ts";
import { startClawOperator } from "../support/claw-operator.ts";
import { installCrd } from "../support/crds/install.ts";
import { startPawlLocal } from "../support/pawl-process.ts";
import { describeOnRealCluster, realKubeConfig } from "../support/real-cluster.ts";
import { type Lab, openLab } from "./lab.ts";
import { suiteWithRegistry } from "./suite.ts";

const login = { username: "puller", password: "hunter2" };

describeOnRealCluster("pawl local, from the registry to the pods", () => {
  const suite = suiteWithRegistry({ auth: login });
  let lab: Lab;

  beforeAll(async () => {
    await suite.registry.pushImage("shop/good", ["1.0.0", "1.1.0", "latest"]);
    await suite.registry.pushImage("shop/bad-then-good", ["1.0.0", "1.1.0", "1.2.0-bad"]);
    await suite.registry.pushImage("shop/bad", ["1.0.0", "1.1.0-bad", "1.2.0-bad", "1.3.0-bad", "1.4.0"]);
    await suite.registry.pushImage("agents/openclaw", ["0.1.0", "0.2.0-bad"]);
    await installCrd(realKubeConfig(), "claw");
    const operator = await startClawOperator(realKubeConfig());
    suite.closing({ close: () => operator.stop() });
    lab = await openLab(suite, `${login.username}:${login.password}`);
    const image = (name: string) => `${suite.registry.host}/shop/${name}:1.0.0`;
    await lab.make("Deployment", "web", image("good"));
    await lab.make("DaemonSet", "agent", image("good"));
    await lab.make("StatefulSet", "store", image("bad-then-good"), { [annotations.healthTimeout]: "1m" });
    await lab.make("Deployment", "doomed", image("bad"), {
      [annotations.versionConstraint]: ">=1.0.0-0, <1.4.0-0",
      [annotations.healthTimeout]: "1m",
    });
    await lab.makeClaw("helper", { versionConstraint: "<1.0.0-0", healthTimeout: "2m" });
    const pawl = startPawlLocal([...lab.flags, "--exit-when-idle"]);
    await pawl.succeeds();
  }, 120_000);

  test.for([
    { name: "web", kind: "Deployment" },
    { name: "agent", kind: "DaemonSet" },
  ])("a $kind runs the newest version, and says so", async ({ name }) => {
    const { image, bookkeeping, inFlight, rollout } = await lab.workload(name);
    expect(image).toBe(`${suite.registry.host}/shop/good:1.1.0`);
    expect(bookkeeping).toMatchObject({
      currentVersion: "1.1.0",
      rollbackCount: 0,
      circuitOpen: false,
      failedVersions: [],
    });
    expect(bookkeeping.versionHistory.map(({ version, status }) => [version, status])).toEqual([["1.1.0", "Healthy"]]);
    expect(inFlight).toBeNull();
    expect(rollout?.readyReplicas).toBe(rollout?.desiredReplicas);
    expect(await lab.eventsOf(name)).toEqual(["AutoUpdateAvailable", "AutoUpdateStarting", "AutoUpdateComplete"]);
  });

  test("a StatefulSet goes back from a bad version, and then ahead to the next best", async () => {
    const { image, bookkeeping, rollout } = await lab.workload("store");
    expect(image).toBe(`${suite.registry.host}/shop/bad-then-good:1.1.0`);
    expect(bookkeeping).toMatchObject({ currentVersion: "1.1.0", rollbackCount: 0, failedVersions: ["1.2.0-bad"] });
    expect(bookkeeping.versionHistory.map(({ status }) => status)).toEqual(["RolledBack", "Healthy"]);
    expect(rollout).toMatchObject({ updatedReplicas: 3, readyReplicas: 3 });
  });

  test("three bad versions open the circuit; the first image runs as before", async () => {
    const { image, bookkeeping, rollout } = await lab.workload("doomed");
    expect(image).toBe(`${suite.registry.host}/shop/bad:1.0.0`);
    expect(bookkeeping).toMatchObject({ currentVersion: "1.0.0", rollbackCount: 3, circuitOpen: true });
    expect(bookkeeping.failedVersions).toEqual(["1.3.0-bad", "1.2.0-bad", "1.1.0-bad"]);
    expect(rollout).toMatchObject({ readyReplicas: 3, oldReplicas: 0 });
    expect((await lab.eventsOf("doomed")).filter((reason) => reason === "AutoUpdateCircuitOpen")).toHaveLength(1);
  });

  test("a Claw is told by its annotation, goes back from a bad version and ahead to the next best", async () => {
    const { image, bookkeeping, rollout } = await lab.workload("helper");
    expect(image).toBe(`${suite.registry.host}/agents/openclaw:0.1.0`);
    expect(bookkeeping).toMatchObject({ currentVersion: "0.1.0", failedVersions: ["0.2.0-bad"], rollbackCount: 0 });
    expect(rollout).toMatchObject({ image, readyReplicas: 1, updatedReplicas: 1 });
    expect(await lab.eventsOf("helper")).toEqual(expect.arrayContaining(["AutoUpdateRollback", "AutoUpdateComplete"]));
  });

  test("once the circuit is reset and a good version is admitted, it is applied", async () => {
    const { run } = await import("../../cli/program.ts");
    const where = lab.flags.slice(0, 4);
    await run(["reset", "doomed", ...where]);
    await lab.annotate("doomed", { [annotations.versionConstraint]: "^1" });
    const pawl = startPawlLocal([...lab.flags, "--exit-when-idle"]);
    await pawl.succeeds();
    const { image, bookkeeping } = await lab.workload("doomed");
    expect(image).toBe(`${suite.registry.host}/shop/bad:1.4.0`);
    expect(bookkeeping).toMatchObject({ currentVersion: "1.4.0", circuitOpen: false, rollbackCount: 0 });
    expect(bookkeeping.failedVersions).toHaveLength(3);
  });
});
