import { beforeAll, describe, test, vi } from "vitest";
import { digestOf, metadataKeys } from "../../support/bootc/objects.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import type { Nodes } from "./node-harness.ts";
import { openNodePoolHarnessWithImages, idleOn, type NodePoolHarnessWithImages } from "./node-pool-harness.ts";
import { createSuite } from "../suite.ts";

const patience = { timeout: 60_000, interval: 50 };
const healthy = { upToDate: "AllUpdated", degraded: "Healthy" };

/** The guarantees of bootc-operator for a pool, on the real API server with the real poll and state machine. */
describeOnRealCluster("a node pool", () => {
  const suite = createSuite();
  let harness: NodePoolHarnessWithImages;
  let imageA: string;
  let imageB: string;

  beforeAll(async () => {
    harness = await openNodePoolHarnessWithImages(suite);
    ({ imageA, imageB } = harness);
  });

  /** Creates a pool that begins once `staged` nodes have staged: who stages first would acquire the first slot. */
  async function createStagedPool(name: string, nodes: Nodes, staged: number, rollout: object = {}): Promise<string> {
    const pool = await harness.createPoolOf(name, nodes, imageB, {
      rollout: { ...rollout, paused: true, cordonedNodes: "Include" },
    });
    const hasStaged = async () => (await harness.observePool(pool))?.breakdown?.includes(` ${staged} staged,`);
    await vi.waitUntil(hasStaged, patience);
    await harness.setRollout(pool, { paused: false });
    return pool;
  }

  describe.concurrent("behaves as with bootc-operator", () => {
    test("rolls three nodes one at a time in the order of their names, and keeps a manual cordon", async ({
      expect,
    }) => {
      const nodes = await harness.createNodes(3, imageA);
      const [, second = ""] = nodes.names;
      await harness.cordon(second, true);
      const pool = await createStagedPool("three", nodes, 3);
      await expect.poll(() => harness.observePool(pool), patience).toMatchObject(healthy);
      const done = idleOn(imageB);
      await expect
        .poll(() => harness.observeNodes(nodes), patience)
        .toMatchObject({ "01": done, "02": { ...done, isCordoned: true }, "03": done });
      const slots = harness.changes().flatMap(({ kind, object: { metadata } }) => {
        const isSlot =
          kind === "BootcNode" &&
          nodes.names.includes(metadata?.name ?? "") &&
          metadata?.annotations?.[metadataKeys.slot] !== undefined;
        return isSlot ? [metadata?.name ?? ""] : [];
      });
      expect([...new Set(slots)]).toEqual(nodes.names);
      expect(await harness.observePool(pool)).toMatchObject({ deployed: digestOf(imageB), updateAvailable: false });
    });

    test("skips a node that cannot stage, and reports its name", async ({ expect }) => {
      const nodes = await harness.createNodes(2, imageA);
      const [first = ""] = nodes.names;
      harness.daemons.fault(first, "stage-fails");
      const pool = await harness.createPoolOf("stage-fails", nodes, imageB);
      const after = { "01": { booted: digestOf(imageA), hasSlot: false, isCordoned: false }, "02": idleOn(imageB) };
      await expect.poll(() => harness.observeNodes(nodes), patience).toMatchObject(after);
      await expect
        .poll(() => harness.observePool(pool), patience)
        .toMatchObject({ degraded: "NodeDegraded", degradedMessage: "Degraded nodes: 01" });
      harness.daemons.heal(first);
      await expect.poll(() => harness.observePool(pool), patience).toMatchObject(healthy);
    });

    test("halts at two unhealthy slot holders, uncordons the third, and continues after they recover", async ({
      expect,
    }) => {
      const nodes = await harness.createNodes(4, imageA);
      const [first = "", second = "", , fourth = ""] = nodes.names;
      harness.daemons.fault(first, "comes-back-degraded");
      harness.daemons.fault(second, "comes-back-not-ready");
      harness.daemons.fault(fourth, "never-stages");
      const pool = await createStagedPool("halts", nodes, 3, { maxUnavailable: 3, minReadySeconds: 0 });
      const held = { booted: digestOf(imageB), hasSlot: true, isCordoned: true };
      const waiting = { booted: digestOf(imageA), hasSlot: false, isCordoned: false };
      await expect
        .poll(() => harness.observeNodes(nodes), patience)
        .toMatchObject({ "01": held, "02": held, "03": idleOn(imageB), "04": waiting });
      await expect
        .poll(() => harness.observePool(pool), patience)
        .toMatchObject({
          degraded: "RolloutHalted",
          degradedMessage: "Unhealthy nodes in reboot slots: 01 (Degraded), 02 (NotReady)",
        });
      harness.daemons.heal(fourth);
      const staged = { ...waiting, staged: digestOf(imageB) };
      await expect.poll(() => harness.observeNodes(nodes), patience).toMatchObject({ "04": staged });
      for (const name of [first, second]) harness.daemons.heal(name);
      await expect.poll(() => harness.observePool(pool), patience).toMatchObject(healthy);
      await expect
        .poll(() => harness.observeNodes(nodes), patience)
        .toMatchObject({ "01": idleOn(imageB), "04": idleOn(imageB) });
    });

    test("reports the number of nodes in each state", async ({ expect }) => {
      const [rebooting, staged] = await Promise.all([harness.createNodes(4, imageA), harness.createNodes(1, imageB)]);
      const [first = "", , third = "", fourth = ""] = rebooting.names;
      harness.daemons.fault(first, "never-reboots");
      harness.daemons.fault(third, "never-stages");
      harness.daemons.fault(fourth, "silent");
      await harness.label(staged.names[0] ?? "", rebooting.labels);
      const pool = await createStagedPool("states", rebooting, 2, { rebootTimeoutSeconds: 0 });
      const breakdown = "1/5 updated; 1 pending, 1 staging, 1 staged, 1 rebooting, 0 degraded";
      await expect
        .poll(() => harness.observePool(pool), patience)
        .toMatchObject({ upToDate: "RolloutInProgress", breakdown });
      for (const name of rebooting.names) harness.daemons.heal(name);
      await expect.poll(() => harness.observePool(pool), patience).toMatchObject(healthy);
    });

    test("reports a node whose agent cannot find the image, and does not change it", async ({ expect }) => {
      const nodes = await harness.createNodes(1, imageA);
      const pool = await harness.createPoolOf("bogus", nodes, imageA.replace(/.{8}$/, "00000000"));
      await expect
        .poll(() => harness.observePool(pool), patience)
        .toMatchObject({ degraded: "NodeDegraded", degradedMessage: "Degraded nodes: 01" });
      expect(await harness.observeNodes(nodes)).toMatchObject({ "01": { booted: digestOf(imageA), hasSlot: false } });
      await harness.setImage(pool, imageB);
      await expect.poll(() => harness.observePool(pool), patience).toMatchObject(healthy);
    });

    test("halts by default at one node that boots the old image, after the reboot timeout", async ({ expect }) => {
      const nodes = await harness.createNodes(2, imageA);
      const [first = ""] = nodes.names;
      harness.daemons.fault(first, "comes-back-on-old-image");
      const pool = await harness.createPoolOf("old-image", nodes, imageB, { rollout: { rebootTimeoutSeconds: 60 } });
      await expect
        .poll(() => harness.observePool(pool), patience)
        .toMatchObject({
          degraded: "RolloutHalted",
          degradedMessage: "Unhealthy nodes in reboot slots: 01 (RebootOverdue)",
        });
      harness.daemons.heal(first);
      await expect.poll(() => harness.observePool(pool), patience).toMatchObject(healthy);
    });

    test("waits for a pool that is broken on its target, and while a node without a slot is not Ready", async ({
      expect,
    }) => {
      const [infra, workers] = await Promise.all([harness.createNodes(2, imageA), harness.createNodes(2, imageA)]);
      const [dead = ""] = workers.names;
      for (const name of infra.names) harness.daemons.fault(name, "comes-back-not-ready");
      await harness.api.setReady(dead, false);
      const first = await harness.createPoolOf("infra", infra, imageB, { rollout: { maxUnavailable: 2 } });
      const second = await harness.createPoolOf("workers", workers, imageB, { dependsOn: [first] });
      const broken = { upToDate: "AllUpdated", degraded: "RolloutHalted" };
      await expect.poll(() => harness.observePool(first), patience).toMatchObject(broken);
      const breakdown = expect.stringContaining("0/2 updated; 0 pending, 0 staging, 2 staged, 0 rebooting, 0 degraded");
      await expect.poll(() => harness.observePool(second), patience).toMatchObject({ breakdown });
      for (const name of infra.names) harness.daemons.heal(name);
      const degradedMessage = "Degraded nodes: 01 (not Ready for 900 s, and uses up maxUnavailable)";
      await expect.poll(() => harness.observePool(second), patience).toMatchObject({ breakdown, degradedMessage });
      expect(await harness.observeNodes(infra)).toMatchObject({ "01": idleOn(imageB), "02": idleOn(imageB) });
      await harness.api.setReady(dead, true);
      await expect.poll(() => harness.observePool(second), patience).toMatchObject(healthy);
    });
  });

  test("no invariant was violated, and no poll failed", async ({ expect }) => {
    await harness.expectNoViolations();
    expect(harness.failures).toEqual([]);
  });
});
