import { beforeAll, expect, test } from "vitest";
import { annotations } from "../../../functions/domain/workload/policy/annotations.ts";
import { startClawOperator } from "../../support/real/claw-operator.ts";
import { installCrd } from "../../support/crds/install.ts";
import { startPawlLocal } from "../../support/pawl-process.ts";
import { describeOnRealCluster, realKubeConfig } from "../../support/real-cluster.ts";
import { type ClusterHarness, openClusterHarness } from "../harness.ts";
import { createSuite } from "../suite.ts";

const login = { username: "puller", password: "hunter2" };

describeOnRealCluster("pawl local, from the registry to the pods", () => {
  const suite = createSuite({ auth: login });
  let harness: ClusterHarness;

  beforeAll(async () => {
    await suite.registry.pushImage("shop/good", ["1.0.0", "1.1.0", "latest"]);
    await suite.registry.pushImage("shop/bad-then-good", ["1.0.0", "1.1.0", "1.2.0-bad"]);
    await suite.registry.pushImage("shop/bad", ["1.0.0", "1.1.0-bad", "1.2.0-bad", "1.3.0-bad", "1.4.0"]);
    await suite.registry.pushImage("agents/openclaw", ["0.1.0", "0.2.0-bad"]);
    await installCrd(realKubeConfig(), "claw");
    const operator = await startClawOperator(realKubeConfig());
    suite.closeAfterAll({ close: () => operator.stop() });
    harness = await openClusterHarness(suite, `${login.username}:${login.password}`);
    const image = (name: string) => `${suite.registry.host}/shop/${name}:1.0.0`;
    await harness.create("Deployment", "web", image("good"));
    await harness.create("DaemonSet", "agent", image("good"));
    await harness.create("StatefulSet", "store", image("bad-then-good"), {
      [annotations.healthTimeout]: "3m",
      [annotations.onFailure]: "tryOlder",
    });
    await harness.create("Deployment", "circuit", image("bad"), {
      [annotations.versionConstraint]: ">=1.0.0-0, <1.4.0-0",
      [annotations.versioning]: "semver",
      [annotations.onFailure]: "tryOlder",
      [annotations.healthTimeout]: "3m",
    });
    await harness.createClaw("helper", { versionConstraint: "<1.0.0-0", healthTimeout: "2m" });
    const pawl = startPawlLocal([...harness.flags, "--exit-when-idle"]);
    await pawl.succeeds();
  }, 600_000);

  test.for([
    { name: "web", kind: "Deployment" },
    { name: "agent", kind: "DaemonSet" },
  ])("a $kind runs the newest version, and its Events report it", async ({ name }) => {
    const { image, updateRecord, inFlight, rollout } = await harness.workload(name);
    expect(image).toBe(`${suite.registry.host}/shop/good:1.1.0`);
    expect(updateRecord).toMatchObject({
      currentVersion: "1.1.0",
      rollbackCount: 0,
      circuitOpen: false,
      failedVersions: [],
    });
    expect(updateRecord.versionHistory.map(({ version, status }) => [version, status])).toEqual([["1.1.0", "Healthy"]]);
    expect(inFlight).toBeNull();
    expect(rollout?.readyReplicas).toBe(rollout?.desiredReplicas);
    expect(await harness.eventsOf(name)).toEqual(["AutoUpdateAvailable", "AutoUpdateStarting", "AutoUpdateComplete"]);
  });

  test("a StatefulSet is rolled back from a bad version, and then updated to the next best", async () => {
    const { image, updateRecord, rollout } = await harness.workload("store");
    expect(image).toBe(`${suite.registry.host}/shop/bad-then-good:1.1.0`);
    expect(updateRecord).toMatchObject({ currentVersion: "1.1.0", rollbackCount: 0, failedVersions: ["1.2.0-bad"] });
    expect(updateRecord.versionHistory.map(({ status }) => status)).toEqual(["RolledBack", "Healthy"]);
    expect(rollout).toMatchObject({ updatedReplicas: 3, readyReplicas: 3 });
  });

  test("three bad versions open the circuit, and the first image keeps running", async () => {
    const { image, updateRecord, rollout } = await harness.workload("circuit");
    expect(image).toBe(`${suite.registry.host}/shop/bad:1.0.0`);
    expect(updateRecord).toMatchObject({ currentVersion: "1.0.0", rollbackCount: 3, circuitOpen: true });
    expect(updateRecord.failedVersions).toEqual(["1.3.0-bad", "1.2.0-bad", "1.1.0-bad"]);
    expect(rollout).toMatchObject({ readyReplicas: 3, oldReplicas: 0 });
    expect((await harness.eventsOf("circuit")).filter((reason) => reason === "AutoUpdateCircuitOpen")).toHaveLength(1);
  });

  test("a Claw is updated by its annotation, rolled back from a bad version and updated to the next best", async () => {
    const { image, updateRecord, rollout } = await harness.workload("helper");
    expect(image).toBe(`${suite.registry.host}/agents/openclaw:0.1.0`);
    expect(updateRecord).toMatchObject({ currentVersion: "0.1.0", failedVersions: ["0.2.0-bad"], rollbackCount: 0 });
    expect(rollout).toMatchObject({ image, readyReplicas: 1, updatedReplicas: 1 });
    expect(await harness.eventsOf("helper")).toEqual(
      expect.arrayContaining(["AutoUpdateRollback", "AutoUpdateComplete"]),
    );
  });

  test("a good version is applied after the circuit is reset and the constraint admits it", async () => {
    const { run } = await import("../../../cli/program.ts");
    const connection = harness.flags.slice(0, 4);
    await run(["reset", "circuit", "--no-wait", ...connection]);
    await harness.annotate("circuit", { [annotations.versionConstraint]: "^1", [annotations.healthTimeout]: "10m" });
    const pawl = startPawlLocal([...harness.flags, "--exit-when-idle"]);
    await pawl.succeeds();
    const { image, updateRecord } = await harness.workload("circuit");
    expect(image).toBe(`${suite.registry.host}/shop/bad:1.4.0`);
    expect(updateRecord).toMatchObject({ currentVersion: "1.4.0", circuitOpen: false, rollbackCount: 0 });
    expect(updateRecord.failedVersions).toHaveLength(3);
  });
});
