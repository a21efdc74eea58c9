import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, test } from "vitest";
import { digestOf } from "../../support/bootc/objects.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { idleOn, type NodePoolHarnessWithImages, openNodePoolHarnessWithImages } from "./node-pool-harness.ts";
import { createSuite } from "../suite.ts";

const patience = { timeout: 60_000, interval: 50 };
/** 36 s and 18 s by the clock of Pawl. */
const flaps = { ready: 600, notReady: 300 };

describeOnRealCluster("a node pool with a node that flaps", () => {
  const suite = createSuite();
  let harness: NodePoolHarnessWithImages;

  beforeAll(async () => {
    harness = await openNodePoolHarnessWithImages(suite);
  });

  /** Makes a node Ready and not Ready in turn. Returns a function that ends it, with a Node that is Ready. */
  function flap(name: string): () => Promise<void> {
    const ending = new AbortController();
    const flapping = (async () => {
      while (!ending.signal.aborted) {
        await harness.flip(name, false);
        await pause(flaps.notReady);
        await harness.flip(name, true);
        await pause(flaps.ready);
      }
    })();
    return () => {
      ending.abort();
      return flapping;
    };
  }

  test("halts once, stays halted past the deadline of the slot, and recovers once when the node stays Ready", async ({
    expect,
  }) => {
    const { imageA, imageB } = harness;
    const nodes = await harness.createNodes(2, imageA);
    const [first = ""] = nodes.names;
    const pool = await harness.createPoolOf("flaps", nodes, imageB, { rollout: { rebootTimeoutSeconds: 300 } });
    const booted = { "01": { booted: digestOf(imageB), hasSlot: true } };
    await expect.poll(() => harness.observeNodes(nodes), patience).toMatchObject(booted);
    const stop = flap(first);
    const degradedMessage = "Unhealthy nodes in reboot slots: 01 (SlotOverdue)";
    await expect.poll(() => harness.observePool(pool), patience).toMatchObject({ degradedMessage });
    const seen = new Set<string | undefined>();
    for (let round = 0; round < 100; round += 1) {
      seen.add((await harness.observePool(pool))?.degraded);
      await pause(100);
    }
    expect([...seen]).toEqual(["RolloutHalted"]);
    expect(await harness.observeNodes(nodes)).toMatchObject({ ...booted, "02": idleOn(imageA) });
    await stop();
    const updated = idleOn(imageB);
    await expect.poll(() => harness.observeNodes(nodes), patience).toMatchObject({ "01": updated, "02": updated });
    await expect.poll(() => harness.observePool(pool), patience).toMatchObject({ degraded: "Healthy" });
    const halts = (await harness.eventsOf(pool)).filter((reason) => ["RolloutHalted", "Healthy"].includes(reason));
    expect(halts).toEqual(["RolloutHalted", "Healthy"]);
    await harness.expectNoViolations();
    expect(harness.failures).toEqual([]);
  });
});
