import { beforeAll, describe, test } from "vitest";
import { eventually } from "../../support/control-plane/eventually.ts";
import { startPawlLocal } from "../../support/pawl-process.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { leaveStatus, request } from "../auto-update/auto-updates.ts";
import { openClusterHarness } from "../harness.ts";
import { startIsolatedPawl } from "../isolated-pawl.ts";
import { createSuite } from "../suite.ts";

describeOnRealCluster("concurrent changes", () => {
  const suite = createSuite();

  beforeAll(async () => {
    await suite.registry.pushImage("shop/good", ["1.0.0", "1.1.0"]);
  });

  describe.concurrent("in a namespace of its own", () => {
    test("two concurrent polls start one update", async ({ expect }) => {
      const harness = await openClusterHarness(suite);
      await harness.create("Deployment", "web", `${suite.registry.host}/shop/good:1.0.0`);
      const started = new Set<string>();
      const pawl = await startIsolatedPawl({
        namespace: harness.namespace,
        registry: suite.registry,
        onStateChange: ({ type, execution }) => type === "ExecutionStarted" && started.add(execution),
      });
      const reports = await Promise.all([pawl.poll(), pawl.poll()]);
      // The second reports 0 if it sees the claim of the first one's execution.
      expect(Math.max(...reports.map(({ started: count }) => count))).toBe(1);
      expect(reports.flatMap(({ failed }) => failed)).toEqual([]);
      await eventually("the execution ends", async () => pawl.running() === 0);
      await pawl.close();
      expect(started.size).toBe(1);
      const events = await harness.eventsOf("web");
      expect(events.filter((reason) => reason === "AutoUpdateStarting")).toHaveLength(1);
      expect((await harness.workload("web")).updateRecord.versionHistory).toHaveLength(1);
    });

    test("two Pawls on one cluster have the same result as one", async ({ expect }) => {
      const harness = await openClusterHarness(suite);
      await harness.create("StatefulSet", "store", `${suite.registry.host}/shop/good:1.0.0`);
      const processes = [1, 2].map(() => startPawlLocal([...harness.flags, "--exit-when-idle"]));
      for (const pawl of processes) await pawl.succeeds();
      const { updateRecord, image, inFlight } = await harness.workload("store");
      expect({ image, inFlight }).toEqual({ image: `${suite.registry.host}/shop/good:1.1.0`, inFlight: null });
      expect(updateRecord.versionHistory).toHaveLength(1);
      expect(updateRecord.rollbackCount).toBe(0);
    });

    test("two Pawls that poll more often than an execution checks do not take each other's claims", async ({
      expect,
    }) => {
      const harness = await openClusterHarness(suite);
      await harness.create("Deployment", "web", `${suite.registry.host}/shop/good:1.0.0`);
      const processes = [1, 2].map(() => startPawlLocal([...harness.flags, "--interval", "5s", "--exit-when-idle"]));
      for (const pawl of processes) await pawl.succeeds();
      const lines = processes.flatMap((pawl) => pawl.lines);
      // A poll may still see the claim of an execution that has just ended: that adoption is superseded.
      const adoptions = lines.filter(({ state, type }) => state === "AdoptUpdate" && type === "TaskSucceeded");
      expect(adoptions.filter(({ output = "" }) => !output.includes("superseded"))).toEqual([]);
      expect(lines.filter(({ type, state }) => state === "Updated" && type === "SucceedStateEntered")).toHaveLength(1);
      const { image, inFlight, updateRecord } = await harness.workload("web");
      expect({ image, inFlight }).toEqual({ image: `${suite.registry.host}/shop/good:1.1.0`, inFlight: null });
      expect(updateRecord.versionHistory.map(({ status }) => status)).toEqual(["Healthy"]);
      const events = await harness.eventsOf("web");
      expect(events.filter((reason) => reason === "AutoUpdateComplete")).toHaveLength(1);
    });

    test("scaling during a rollout neither restarts nor fails it", async ({ expect }) => {
      const harness = await openClusterHarness(suite);
      await harness.create("StatefulSet", "store", `${suite.registry.host}/shop/good:1.0.0`);
      const pawl = startPawlLocal([...harness.flags, "--exit-when-idle"]);
      await pawl.until("the execution waits for the rollout", ({ state }) => state === "WaitForRollout");
      await harness.scale("store", 5);
      await pawl.succeeds();
      const { updateRecord, rollout } = await harness.workload("store");
      expect(rollout).toMatchObject({ desiredReplicas: 5, updatedReplicas: 5, readyReplicas: 5 });
      expect(updateRecord.versionHistory.map(({ status }) => status)).toEqual(["Healthy"]);
      expect((await harness.eventsOf("store")).filter((reason) => reason === "AutoUpdateStarting")).toHaveLength(1);
    });

    test("an image that a person sets during a rollout is kept", async ({ expect }) => {
      const harness = await openClusterHarness(suite);
      await suite.registry.pushImage("shop/good", ["1.0.5"]);
      await harness.create("Deployment", "web", `${suite.registry.host}/shop/good:1.0.0`);
      const pawl = startPawlLocal([...harness.flags, "--exit-when-idle"]);
      await pawl.until("the execution waits for the rollout", ({ state }) => state === "WaitForRollout");
      await harness.setImage("web", `${suite.registry.host}/shop/good:1.0.5`);
      await pawl.succeeds();
      const { image, inFlight, updateRecord } = await harness.workload("web");
      expect(inFlight).toBeNull();
      expect(updateRecord).toMatchObject({ minimumVersion: "1.1.0", failedVersions: [], versionHistory: [] });
      expect(image).toBe(`${suite.registry.host}/shop/good:1.0.5`);
    });

    test("a version that a person pushes through an open circuit closes it", async ({ expect }) => {
      const harness = await openClusterHarness(suite);
      const image = `${suite.registry.host}/shop/good:1.1.0`;
      await harness.create("Deployment", "web", `${suite.registry.host}/shop/good:1.0.0`);
      const { ref } = await harness.workload("web");
      await leaveStatus(harness, ref, { circuitOpen: true, rollbackCount: 3, failedVersions: ["1.1.0"] });
      await request(harness, ref, "push 1.1.0 now");
      const pawl = startPawlLocal([...harness.flags, "--exit-when-idle"]);
      await pawl.succeeds();
      const after = await harness.workload("web");
      expect({ image: after.image, inFlight: after.inFlight }).toEqual({ image, inFlight: null });
      expect(after.updateRecord).toMatchObject({
        currentVersion: "1.1.0",
        circuitOpen: false,
        rollbackCount: 0,
        failedVersions: ["1.1.0"],
      });
    });
  });
});
