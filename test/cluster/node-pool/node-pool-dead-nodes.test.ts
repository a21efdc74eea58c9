import { beforeAll, describe, test } from "vitest";
import { digestOf } from "../../support/bootc/objects.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { idleOn, type NodePoolHarnessWithImages, openNodePoolHarnessWithImages } from "./node-pool-harness.ts";
import { createSuite } from "../suite.ts";

const patience = { timeout: 60_000, interval: 50 };
const healthy = { upToDate: "AllUpdated", degraded: "Healthy" };

describeOnRealCluster("a node pool with dead nodes", () => {
  const suite = createSuite();
  let harness: NodePoolHarnessWithImages;
  let imageA: string;
  let imageB: string;

  beforeAll(async () => {
    harness = await openNodePoolHarnessWithImages(suite);
    ({ imageA, imageB } = harness);
  });

  describe.concurrent("counts them", () => {
    test("three that are not Ready use up maxUnavailable: 3, and each that returns gives one slot back", async ({
      expect,
    }) => {
      const nodes = await harness.createNodes(5, imageA);
      const [first = "", second = "", third = ""] = nodes.names;
      for (const name of [first, second, third]) await harness.api.setReady(name, false);
      const pool = await harness.createPoolOf("dead", nodes, imageB, { rollout: { maxUnavailable: 3 } });
      const breakdown = "0/5 updated; 0 pending, 0 staging, 5 staged, 0 rebooting, 0 degraded";
      await expect.poll(() => harness.observePool(pool), patience).toMatchObject({ breakdown });
      await harness.api.setReady(first, true);
      const updated = idleOn(imageB);
      await expect
        .poll(() => harness.observeNodes(nodes), patience)
        .toMatchObject({
          "01": updated,
          "02": { hasSlot: false },
          "03": { hasSlot: false },
          "04": updated,
        });
      for (const name of [second, third]) await harness.api.setReady(name, true);
      await expect.poll(() => harness.observePool(pool), patience).toMatchObject(healthy);
    });

    test("a rollback passes by a slot holder that is dead on the failed image", async ({ expect }) => {
      const nodes = await harness.createNodes(3, imageA);
      const [first = ""] = nodes.names;
      const rollout = { maxUnavailable: 2, haltThreshold: 1, onHalt: "Rollback" };
      const pool = await harness.createPoolOf("dead-holder", nodes, imageA, { rollout });
      await expect.poll(() => harness.observePool(pool), patience).toMatchObject(healthy);
      harness.daemons.fault(first, "comes-back-dead");
      await harness.setImage(pool, imageB);
      const dead = { booted: digestOf(imageB), hasSlot: true, isCordoned: true };
      const returned = idleOn(imageA);
      await expect.poll(() => harness.observePool(pool), patience).toMatchObject({ upToDate: "RolledBack" });
      await expect
        .poll(() => harness.observeNodes(nodes), patience)
        .toMatchObject({ "01": dead, "02": returned, "03": returned });
      harness.daemons.heal(first);
      await expect.poll(() => harness.observeNodes(nodes), patience).toMatchObject({ "01": returned });
      expect(await harness.observePool(pool)).toMatchObject({ upToDate: "RolledBack", degraded: "RolledBack" });
    });
  });

  test("no invariant was violated, and no poll failed", async ({ expect }) => {
    await harness.expectNoViolations();
    expect(harness.failures).toEqual([]);
  });
});
