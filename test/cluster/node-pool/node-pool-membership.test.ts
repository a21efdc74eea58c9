import { beforeAll, describe, test } from "vitest";
import { digestOf } from "../../support/bootc/objects.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { openNodePoolHarnessWithImages, idleOn, type NodePoolHarnessWithImages } from "./node-pool-harness.ts";
import { createSuite } from "../suite.ts";

const patience = { timeout: 60_000, interval: 50 };
const healthy = { upToDate: "AllUpdated", degraded: "Healthy" };
const released = { owner: undefined, desiredState: undefined, isManaged: false, isCordoned: false };

describeOnRealCluster("a node of a pool", () => {
  const suite = createSuite();
  let harness: NodePoolHarnessWithImages;
  let imageA: string;
  let imageB: string;

  beforeAll(async () => {
    harness = await openNodePoolHarnessWithImages(suite);
    ({ imageA, imageB } = harness);
  });

  describe.concurrent("joins, is drained, and leaves", () => {
    test("is claimed by a second pool, which both report, and which adopts it after its label changes", async ({
      expect,
    }) => {
      const nodes = await harness.createNodes(3, imageA);
      const [first = "", second = "", third = ""] = nodes.names;
      for (const name of [first, second]) await harness.label(name, { left: harness.uniqueName("x") });
      const left = await harness.createPoolOf("left", { ...nodes, labels: { left: harness.uniqueName("x") } }, imageB);
      await expect.poll(() => harness.observePool(left), patience).toMatchObject(healthy);
      for (const name of [second, third]) await harness.label(name, { right: harness.uniqueName("x") });
      const right = await harness.createPoolOf(
        "right",
        { ...nodes, labels: { right: harness.uniqueName("x") } },
        imageA,
      );
      const refused = (one: string, other: string) =>
        `No node acquires a slot: the pools ${one} and ${other} select 02; change one of their selectors`;
      const degradedMessage = `${refused(right, left)}. Nodes of another pool: 02 (${left})`;
      await expect
        .poll(() => harness.observePool(right), patience)
        .toMatchObject({ upToDate: "AllUpdated", degraded: "NodeConflict", degradedMessage });
      await expect
        .poll(() => harness.observePool(left), patience)
        .toMatchObject({ degraded: "NodeConflict", degradedMessage: refused(left, right) });
      expect(await harness.observeNodes(nodes)).toMatchObject({
        "01": { owner: left },
        "02": { owner: left },
        "03": { owner: right },
      });

      await harness.label(second, { left: null });
      await expect.poll(() => harness.observePool(right), patience).toMatchObject(healthy);
      await expect.poll(() => harness.observePool(left), patience).toMatchObject(healthy);
      const moved = { owner: right, ...idleOn(imageA) };
      await expect
        .poll(() => harness.observeNodes(nodes), patience)
        .toMatchObject({ "01": idleOn(imageB), "02": moved, "03": moved });
    });

    test("is released unchanged and without a reboot if it leaves while a budget blocks its drain", async ({
      expect,
    }) => {
      const nodes = await harness.createNodes(1, imageA);
      const [only = ""] = nodes.names;
      await harness.deploy("held", 1, nodes.labels);
      await harness.budget("held", 1);
      await expect.poll(() => harness.podsOn(nodes), patience).toEqual({ "01": ["held"] });
      const pool = await harness.createPoolOf("blocked", nodes, imageB);
      const drained = { isCordoned: true, hasSlot: true, desiredState: "Staged", staged: digestOf(imageB) };
      await expect.poll(() => harness.observeNodes(nodes), patience).toMatchObject({ "01": drained });
      await harness.label(only, { "test.pawl.dev/group": null });
      await expect.poll(() => harness.observeNodes(nodes), patience).toMatchObject({ "01": released });
      await expect.poll(() => harness.observePool(pool), patience).toMatchObject(healthy);
      expect(harness.daemons.machine(only)).toMatchObject({ booted: imageA, staged: imageB });
      expect(await harness.podsOn(nodes)).toEqual({ "01": ["held"] });
    });

    test("is drained once its budget allows it, except for the pods of a DaemonSet", async ({ expect }) => {
      const nodes = await harness.createNodes(2, imageA);
      const [first = "", second = ""] = nodes.names;
      await harness.cordon(second, true);
      await harness.deploy("web", 2, nodes.labels);
      await harness.budget("web", 2);
      await harness.daemonSet("log", nodes.labels);
      await expect.poll(() => harness.podsOn(nodes), patience).toEqual({ "01": ["log", "web", "web"], "02": ["log"] });
      await harness.cordon(second, false);
      const pool = await harness.createPoolOf("yields", nodes, imageB, { rollout: { drainTimeoutSeconds: 60 } });
      await expect
        .poll(() => harness.observeNodes(nodes), patience)
        .toMatchObject({ "01": { isCordoned: true, desiredState: "Staged" } });
      await expect.poll(() => harness.eventsOf(first), patience).toContain("DrainFailed");
      const degradedMessage = expect.stringContaining("Degraded nodes: 01 (not drained after 60 s");
      await expect
        .poll(() => harness.observePool(pool), patience)
        .toMatchObject({ degraded: "NodeDegraded", degradedMessage });
      await harness.scale("web", 4);
      await expect.poll(() => harness.observePool(pool), patience).toMatchObject(healthy);
      await expect
        .poll(() => harness.observeNodes(nodes), patience)
        .toMatchObject({ "01": idleOn(imageB), "02": idleOn(imageB) });
      expect(Object.values(await harness.podsOn(nodes)).every((pods) => pods.includes("log"))).toBe(true);
    });

    test.for([
      { field: "maxUnavailable", invalid: { rollout: { maxUnavailable: "banana" } } },
      { field: "image.ref", invalid: { image: { ref: "myos:latest" } } },
    ])("waits while $field is invalid", async ({ field, invalid }, { expect }) => {
      const nodes = await harness.createNodes(1, imageA);
      const pool = await harness.createPoolOf(`invalid-${field.toLowerCase()}`, nodes, imageB, invalid);
      await expect
        .poll(() => harness.observePool(pool), patience)
        .toMatchObject({ degraded: "InvalidSpec", degradedMessage: expect.stringContaining(field) });
      expect(await harness.observeNodes(nodes)).toMatchObject({ "01": released });
      await harness.setImage(pool, imageB);
      await harness.setRollout(pool, { maxUnavailable: "50%" });
      await expect.poll(() => harness.observePool(pool), patience).toMatchObject(healthy);
      await expect.poll(() => harness.observeNodes(nodes), patience).toMatchObject({ "01": idleOn(imageB) });
    });
  });

  test("no invariant was violated, and no poll failed", async ({ expect }) => {
    await harness.expectNoViolations();
    expect(harness.failures).toEqual([]);
  });
});
