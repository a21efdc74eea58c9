import { beforeAll, describe, test } from "vitest";
import { annotations } from "../../functions/domain/annotations.ts";
import { eventually } from "../support/control-plane/eventually.ts";
import { startPawlLocal } from "../support/pawl-process.ts";
import { describeOnRealCluster } from "../support/real-cluster.ts";
import { openLab } from "./lab.ts";
import { startOwnPawl } from "./own-pawl.ts";
import { suiteWithRegistry } from "./suite.ts";

describeOnRealCluster("what happens at the same time", () => {
  const suite = suiteWithRegistry();

  beforeAll(async () => {
    await suite.registry.pushImage("shop/good", ["1.0.0", "1.1.0"]);
  });

  describe.concurrent("each in a namespace of its own", () => {
    test("two polls at once start one update", async ({ expect }) => {
      const lab = await openLab(suite);
      await lab.make("Deployment", "web", `${suite.registry.host}/shop/good:1.0.0`);
      const started = new Set<string>();
      const pawl = await startOwnPawl({
        namespace: lab.namespace,
        registry: suite.registry,
        onStateChange: ({ type, execution }) => type === "ExecutionStarted" && started.add(execution),
      });
      const reports = await Promise.all([pawl.poll(), pawl.poll()]);
      expect(reports.map(({ started: count }) => count)).toEqual([1, 1]);
      await eventually("the execution ends", async () => pawl.running() === 0);
      await pawl.close();
      expect(started.size).toBe(1);
      const events = await lab.eventsOf("web");
      expect(events.filter((reason) => reason === "AutoUpdateStarting")).toHaveLength(1);
      expect((await lab.workload("web")).bookkeeping.versionHistory).toHaveLength(1);
    });

    test("two whole Pawls on one cluster end as one would", async ({ expect }) => {
      const lab = await openLab(suite);
      await lab.make("StatefulSet", "store", `${suite.registry.host}/shop/good:1.0.0`);
      const both = [1, 2].map(() => startPawlLocal([...lab.flags, "--exit-when-idle"]));
      for (const one of both) await one.succeeds();
      const { bookkeeping, image, inFlight } = await lab.workload("store");
      expect({ image, inFlight }).toEqual({ image: `${suite.registry.host}/shop/good:1.1.0`, inFlight: null });
      expect(bookkeeping.versionHistory).toHaveLength(1);
      expect(bookkeeping.rollbackCount).toBe(0);
    });

    test("scaling in mid-rollout neither restarts nor fails it", async ({ expect }) => {
      const lab = await openLab(suite);
      await lab.make("StatefulSet", "store", `${suite.registry.host}/shop/good:1.0.0`);
      const pawl = startPawlLocal([...lab.flags, "--exit-when-idle"]);
      await pawl.until("the rollout is waited for", ({ state }) => state === "WaitForRollout");
      await lab.scale("store", 5);
      await pawl.succeeds();
      const { bookkeeping, rollout } = await lab.workload("store");
      expect(rollout).toMatchObject({ desiredReplicas: 5, updatedReplicas: 5, readyReplicas: 5 });
      expect(bookkeeping.versionHistory.map(({ status }) => status)).toEqual(["Healthy"]);
      expect((await lab.eventsOf("store")).filter((reason) => reason === "AutoUpdateStarting")).toHaveLength(1);
    });

    test("an image that a person sets in mid-rollout stays", async ({ expect }) => {
      const lab = await openLab(suite);
      await suite.registry.pushImage("shop/good", ["1.0.5"]);
      await lab.make("Deployment", "web", `${suite.registry.host}/shop/good:1.0.0`);
      const pawl = startPawlLocal([...lab.flags, "--exit-when-idle"]);
      await pawl.until("the rollout is waited for", ({ state }) => state === "WaitForRollout");
      await lab.setImage("web", `${suite.registry.host}/shop/good:1.0.5`);
      await pawl.succeeds();
      const { image, inFlight, bookkeeping } = await lab.workload("web");
      expect(inFlight).toBeNull();
      expect(bookkeeping).toMatchObject({ currentVersion: "1.1.0", failedVersions: [], versionHistory: [] });
      expect(image).toBe(`${suite.registry.host}/shop/good:1.0.5`);
    });

    test("a person pushes one image through an open circuit by hand, which closes it", async ({ expect }) => {
      const lab = await openLab(suite);
      const image = `${suite.registry.host}/shop/good:1.1.0`;
      await lab.make("Deployment", "web", `${suite.registry.host}/shop/good:1.0.0`, {
        [annotations.circuitOpen]: "true",
        [annotations.rollbackCount]: "3",
        [annotations.failedVersions]: "1.1.0",
        [annotations.targetImage]: image,
        [annotations.updatePhase]: "HealthCheck",
        [annotations.updateStarted]: new Date().toISOString(),
      });
      const pawl = startPawlLocal([...lab.flags, "--exit-when-idle"]);
      await pawl.succeeds();
      const after = await lab.workload("web");
      expect({ image: after.image, inFlight: after.inFlight }).toEqual({ image, inFlight: null });
      expect(after.bookkeeping).toMatchObject({
        currentVersion: "1.1.0",
        circuitOpen: false,
        rollbackCount: 0,
        failedVersions: ["1.1.0"],
      });
    });
  });
});
