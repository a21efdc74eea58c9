import { beforeAll, describe, test } from "vitest";
import { digestOf } from "../support/bootc/objects.ts";
import { describeOnRealCluster } from "../support/real-cluster.ts";
import { openStockedLab, settledOn, type StockedLab } from "./node-pool-lab.ts";
import { suiteWithRegistry } from "./suite.ts";

const patience = { timeout: 60_000, interval: 50 };
const healthy = { upToDate: "AllUpdated", degraded: "Healthy" };
const gone = { owner: undefined, asked: undefined, isManaged: false, isCordoned: false };

describeOnRealCluster("a node of a pool", () => {
  const suite = suiteWithRegistry();
  let lab: StockedLab;
  let imageA: string;
  let imageB: string;

  beforeAll(async () => {
    lab = await openStockedLab(suite);
    ({ imageA, imageB } = lab);
  });

  describe.concurrent("comes, is drained, and goes", () => {
    test("is contested by a second pool, which goes on with the rest, and comes over with its label", async ({
      expect,
    }) => {
      const nodes = await lab.nodes(3, imageA);
      const [first = "", second = "", third = ""] = nodes.names;
      for (const name of [first, second]) await lab.label(name, { left: lab.named("x") });
      const left = await lab.poolOf("left", { ...nodes, labels: { left: lab.named("x") } }, imageB);
      await expect.poll(() => lab.stand(left), patience).toMatchObject(healthy);
      for (const name of [second, third]) await lab.label(name, { right: lab.named("x") });
      const right = await lab.poolOf("right", { ...nodes, labels: { right: lab.named("x") } }, imageA);
      const why = `Nodes of another pool: 02 (${left})`;
      await expect
        .poll(() => lab.stand(right), patience)
        .toMatchObject({ upToDate: "AllUpdated", degraded: "NodeConflict", why });
      expect(await lab.stand(left)).toMatchObject(healthy);
      expect(await lab.look(nodes)).toMatchObject({
        "01": { owner: left },
        "02": { owner: left },
        "03": { owner: right },
      });

      await lab.label(second, { left: null });
      await expect.poll(() => lab.stand(right), patience).toMatchObject(healthy);
      const to = { owner: right, ...settledOn(imageA) };
      await expect.poll(() => lab.look(nodes), patience).toMatchObject({ "01": settledOn(imageB), "02": to, "03": to });
    });

    test("that leaves while a budget blocks its drain is given back as it was, and never reboots", async ({
      expect,
    }) => {
      const nodes = await lab.nodes(1, imageA);
      const [only = ""] = nodes.names;
      await lab.deploy("held", 1, nodes.labels);
      await lab.budget("held", 1);
      await expect.poll(() => lab.podsOn(nodes), patience).toEqual({ "01": ["held"] });
      const pool = await lab.poolOf("blocked", nodes, imageB);
      const drained = { isCordoned: true, hasSlot: true, asked: "Staged", staged: digestOf(imageB) };
      await expect.poll(() => lab.look(nodes), patience).toMatchObject({ "01": drained });
      await lab.label(only, { "test.pawl.dev/group": null });
      await expect.poll(() => lab.look(nodes), patience).toMatchObject({ "01": gone });
      await expect.poll(() => lab.stand(pool), patience).toMatchObject(healthy);
      expect(lab.daemons.machine(only)).toMatchObject({ booted: imageA, staged: imageB });
      expect(await lab.podsOn(nodes)).toEqual({ "01": ["held"] });
    });

    test("is drained once its budget yields, but for what a DaemonSet runs there", async ({ expect }) => {
      const nodes = await lab.nodes(2, imageA);
      const [first = "", second = ""] = nodes.names;
      await lab.cordon(second, true);
      await lab.deploy("web", 2, nodes.labels);
      await lab.budget("web", 2);
      await lab.daemonSet("log", nodes.labels);
      await expect.poll(() => lab.podsOn(nodes), patience).toEqual({ "01": ["log", "web", "web"], "02": ["log"] });
      await lab.cordon(second, false);
      const pool = await lab.poolOf("yields", nodes, imageB, { rollout: { drainTimeoutSeconds: 60 } });
      await expect.poll(() => lab.look(nodes), patience).toMatchObject({ "01": { isCordoned: true, asked: "Staged" } });
      await expect.poll(() => lab.eventsOf(first), patience).toContain("DrainFailed");
      const why = "Degraded nodes: 01 (not drained after 60 s)";
      await expect.poll(() => lab.stand(pool), patience).toMatchObject({ degraded: "NodeDegraded", why });
      await lab.scale("web", 4);
      await expect.poll(() => lab.stand(pool), patience).toMatchObject(healthy);
      await expect
        .poll(() => lab.look(nodes), patience)
        .toMatchObject({ "01": settledOn(imageB), "02": settledOn(imageB) });
      expect(Object.values(await lab.podsOn(nodes)).every((pods) => pods.includes("log"))).toBe(true);
    });

    test.for([
      { what: "maxUnavailable", broken: { rollout: { maxUnavailable: "banana" } } },
      { what: "image.ref", broken: { image: { ref: "myos:latest" } } },
    ])("waits while $what cannot be read", async ({ what, broken }, { expect }) => {
      const nodes = await lab.nodes(1, imageA);
      const pool = await lab.poolOf(`unreadable-${what.toLowerCase()}`, nodes, imageB, broken);
      await expect
        .poll(() => lab.stand(pool), patience)
        .toMatchObject({ degraded: "InvalidSpec", why: expect.stringContaining(what) });
      expect(await lab.look(nodes)).toMatchObject({ "01": gone });
      await lab.setImage(pool, imageB);
      await lab.rollout(pool, { maxUnavailable: "50%" });
      await expect.poll(() => lab.stand(pool), patience).toMatchObject(healthy);
      await expect.poll(() => lab.look(nodes), patience).toMatchObject({ "01": settledOn(imageB) });
    });
  });

  test("broke no promise, and no poll failed", async ({ expect }) => {
    await lab.expectNoViolations();
    expect(lab.troubles).toEqual([]);
  });
});
