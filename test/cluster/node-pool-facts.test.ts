import { beforeAll, describe, test } from "vitest";
import { digestOf, marks } from "../support/bootc/objects.ts";
import { describeOnRealCluster } from "../support/real-cluster.ts";
import { openStockedLab, settledOn, type StockedLab } from "./node-pool-lab.ts";
import { suiteWithRegistry } from "./suite.ts";

const patience = { timeout: 60_000, interval: 50 };
const healthy = { upToDate: "AllUpdated", degraded: "Healthy" };

/** What bootc-operator promises of a pool, on the real API server and by the real poll and machine. */
describeOnRealCluster("a node pool", () => {
  const suite = suiteWithRegistry();
  let lab: StockedLab;
  let imageA: string;
  let imageB: string;

  beforeAll(async () => {
    lab = await openStockedLab(suite);
    ({ imageA, imageB } = lab);
  });

  describe.concurrent("as bootc-operator has it", () => {
    test("of three nodes rolls one at a time and by name; one that was cordoned stays so", async ({ expect }) => {
      const nodes = await lab.nodes(3, imageA);
      const [, second = ""] = nodes.names;
      await lab.cordon(second, true);
      const pool = await lab.poolOf("three", nodes, imageB);
      await expect.poll(() => lab.stand(pool), patience).toMatchObject(healthy);
      const done = settledOn(imageB);
      await expect
        .poll(() => lab.look(nodes), patience)
        .toMatchObject({ "01": done, "02": { ...done, isCordoned: true }, "03": done });
      const slots = lab.happenings().flatMap(({ kind, object: { metadata } }) => {
        const isSlot =
          kind === "BootcNode" &&
          nodes.names.includes(metadata?.name ?? "") &&
          metadata?.annotations?.[marks.slot] !== undefined;
        return isSlot ? [metadata?.name ?? ""] : [];
      });
      expect([...new Set(slots)]).toEqual(nodes.names);
      expect(await lab.stand(pool)).toMatchObject({ deployed: digestOf(imageB), updateAvailable: false });
    });

    test("goes around a node that cannot stage, and names it", async ({ expect }) => {
      const nodes = await lab.nodes(2, imageA);
      const [first = ""] = nodes.names;
      lab.daemons.fault(first, "stage-fails");
      const pool = await lab.poolOf("stage-fails", nodes, imageB);
      const after = { "01": { booted: digestOf(imageA), hasSlot: false, isCordoned: false }, "02": settledOn(imageB) };
      await expect.poll(() => lab.look(nodes), patience).toMatchObject(after);
      await expect
        .poll(() => lab.stand(pool), patience)
        .toMatchObject({ degraded: "NodeDegraded", why: "Degraded nodes: 01" });
      lab.daemons.heal(first);
      await expect.poll(() => lab.stand(pool), patience).toMatchObject(healthy);
    });

    test("halts at two unhealthy holders, lets the third out, and goes on once they are healed", async ({ expect }) => {
      const nodes = await lab.nodes(4, imageA);
      const [first = "", second = ""] = nodes.names;
      lab.daemons.fault(first, "comes-back-degraded");
      lab.daemons.fault(second, "comes-back-not-ready");
      const pool = await lab.poolOf("halts", nodes, imageB, { rollout: { maxUnavailable: 3 } });
      const held = { booted: digestOf(imageB), hasSlot: true, isCordoned: true };
      const waiting = { booted: digestOf(imageA), hasSlot: false, isCordoned: false };
      await expect
        .poll(() => lab.look(nodes), patience)
        .toMatchObject({ "01": held, "02": held, "03": settledOn(imageB), "04": waiting });
      await expect
        .poll(() => lab.stand(pool), patience)
        .toMatchObject({
          degraded: "RolloutHalted",
          why: "Unhealthy nodes in reboot slots: 01 (Degraded), 02 (NotReady)",
        });
      expect(await lab.look(nodes)).toMatchObject({ "04": waiting });
      for (const name of [first, second]) lab.daemons.heal(name);
      await expect.poll(() => lab.stand(pool), patience).toMatchObject(healthy);
      await expect
        .poll(() => lab.look(nodes), patience)
        .toMatchObject({ "01": settledOn(imageB), "04": settledOn(imageB) });
    });

    test("of a node in each state says so", async ({ expect }) => {
      const [rebooting, staged] = await Promise.all([lab.nodes(4, imageA), lab.nodes(1, imageB)]);
      const [first = "", , third = "", fourth = ""] = rebooting.names;
      lab.daemons.fault(first, "never-reboots");
      lab.daemons.fault(third, "never-stages");
      lab.daemons.fault(fourth, "silent");
      await lab.label(staged.names[0] ?? "", rebooting.labels);
      const pool = await lab.poolOf("states", rebooting, imageB);
      const breakdown = "1/5 updated; 1 pending, 1 staging, 1 staged, 1 rebooting, 0 degraded";
      await expect.poll(() => lab.stand(pool), patience).toMatchObject({ upToDate: "RolloutInProgress", breakdown });
      for (const name of rebooting.names) lab.daemons.heal(name);
      await expect.poll(() => lab.stand(pool), patience).toMatchObject(healthy);
    });

    test("names a node whose agent cannot find the image, and leaves it as it is", async ({ expect }) => {
      const nodes = await lab.nodes(1, imageA);
      const pool = await lab.poolOf("bogus", nodes, imageA.replace(/.{8}$/, "00000000"));
      await expect
        .poll(() => lab.stand(pool), patience)
        .toMatchObject({ degraded: "NodeDegraded", why: "Degraded nodes: 01" });
      expect(await lab.look(nodes)).toMatchObject({ "01": { booted: digestOf(imageA), hasSlot: false } });
      await lab.setImage(pool, imageB);
      await expect.poll(() => lab.stand(pool), patience).toMatchObject(healthy);
    });

    test("counts a node that comes back on the old image as degraded when its time is up", async ({ expect }) => {
      const nodes = await lab.nodes(2, imageA);
      const [first = ""] = nodes.names;
      lab.daemons.fault(first, "comes-back-on-old-image");
      const pool = await lab.poolOf("old-image", nodes, imageB, { rollout: { rebootTimeoutSeconds: 60 } });
      await expect
        .poll(() => lab.stand(pool), patience)
        .toMatchObject({ degraded: "NodeDegraded", why: expect.stringContaining("01 (not back on its new image") });
      lab.daemons.heal(first);
      await expect.poll(() => lab.stand(pool), patience).toMatchObject(healthy);
    });
  });

  test("broke no promise, and no poll failed", async ({ expect }) => {
    await lab.expectNoViolations();
    expect(lab.troubles).toEqual([]);
  });
});
