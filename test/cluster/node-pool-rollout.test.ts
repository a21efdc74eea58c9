import { beforeAll, test } from "vitest";
import { digestOf, marks } from "../support/bootc/objects.ts";
import { describeOnRealCluster } from "../support/real-cluster.ts";
import type { Nodes } from "./node-lab.ts";
import { type NodePoolLab, openNodePoolLab, type Seen, settledOn } from "./node-pool-lab.ts";
import { suiteWithRegistry } from "./suite.ts";

const patience = { timeout: 90_000, interval: 100 };
const quarter = { rollout: { maxUnavailable: "25%" } };

/** One pool of twelve nodes, from its first image to its end: each test goes on where the one before has left it. */
describeOnRealCluster("twelve nodes at 25 %", () => {
  const suite = suiteWithRegistry();
  let lab: NodePoolLab;
  let nodes: Nodes;
  let pool: string;
  const images: Record<string, string> = {};

  beforeAll(async () => {
    lab = suite.closing(await openNodePoolLab(suite.registry));
    images["stable"] = await lab.push("os", "stable");
    nodes = await lab.nodes(12, images["stable"]);
    await lab.deploy("web", 12, nodes.labels);
    await lab.daemonSet("log", nodes.labels);
    pool = await lab.poolOf("workers", nodes, `${suite.registry.host}/os:stable`, quarter);
  });

  const all = async (isSo: (node: Seen) => boolean) => Object.values(await lab.look(nodes)).filter(isSo).length;
  const image = (name: string) => images[name] ?? "";

  /** As many pods as there were, none of them on a node that is cordoned. */
  const webs = async () =>
    Object.values(await lab.podsOn(nodes))
      .flat()
      .filter((name) => name === "web").length;

  test("a moved tag rolls to all of them, three at once at most", async ({ expect }) => {
    const [, , third = ""] = nodes.names;
    await expect.poll(() => lab.stand(pool), patience).toMatchObject({ upToDate: "AllUpdated", degraded: "Healthy" });
    await lab.cordon(third, true);
    images["next"] = await lab.push("os", "stable");
    await expect.poll(() => lab.stand(pool), patience).toMatchObject({ deployed: digestOf(image("next")) });
    const done = settledOn(image("next"));
    await expect.poll(() => all((node) => node.hasSlot), patience).toBe(0);
    expect(await lab.look(nodes)).toMatchObject({ "01": done, "03": { ...done, isCordoned: true }, "12": done });
    expect(await all(({ booted }) => booted === done.booted)).toBe(12);
    await lab.cordon(third, false);
    await expect.poll(webs, patience).toBe(12);
    expect(mostCordoned()).toBe(3);
    await lab.expectNoViolations();
  });

  test("a paused pool stages and reboots none; resumed, an image that is changed in mid-rollout goes to all", async ({
    expect,
  }) => {
    images["second"] = await lab.push("os", "second");
    images["third"] = await lab.push("os", "third");
    await lab.rollout(pool, { paused: true });
    await lab.setImage(pool, image("second"));
    const breakdown = "0/12 updated; 0 pending, 0 staging, 12 staged, 0 rebooting, 0 degraded";
    await expect.poll(() => lab.stand(pool), patience).toMatchObject({ upToDate: "Paused", breakdown });
    expect(await all((node) => node.hasSlot || node.isCordoned)).toBe(0);
    await lab.rollout(pool, { paused: false });
    const onSecond = digestOf(image("second"));
    await expect.poll(() => all(({ booted }) => booted === onSecond), patience).toBeGreaterThan(0);
    await lab.setImage(pool, image("third"));
    await expect.poll(() => lab.stand(pool), patience).toMatchObject({ deployed: digestOf(image("third")) });
    expect(
      lab
        .happenings()
        .some(({ kind, object }) => kind === "BootcNode" && object.status?.booted?.imageDigest === onSecond),
    ).toBe(true);
    await expect.poll(() => all((node) => node.hasSlot || node.isCordoned), patience).toBe(0);
    await lab.expectNoViolations();
  });

  test("set back to the digest before in mid-rollout, all are back on it", async ({ expect }) => {
    const before = digestOf(image("third"));
    await lab.setImage(pool, image("second"));
    await expect.poll(() => all(({ booted }) => booted !== before), patience).toBeGreaterThan(1);
    await lab.setImage(pool, image("third"));
    await expect.poll(() => all(({ booted, hasSlot }) => booted === before && !hasSlot), patience).toBe(12);
    await expect.poll(() => lab.stand(pool), patience).toMatchObject({ upToDate: "AllUpdated", deployed: before });
    await lab.expectNoViolations();
  });

  test("deleted in mid-rollout it gives every node back", async ({ expect }) => {
    await lab.setImage(pool, image("next"));
    await expect.poll(() => all(({ isCordoned }) => isCordoned), patience).toBeGreaterThan(0);
    await lab.deletePool(pool);
    await expect.poll(() => lab.stand(pool), patience).toBeNull();
    const free = ({ owner, isManaged, isCordoned }: Seen) => owner === undefined && !isManaged && !isCordoned;
    expect(await all(free)).toBe(12);
    await lab.expectNoViolations();
    expect(lab.troubles).toEqual([]);
  });

  test("said what it did", async ({ expect }) => {
    const said = await lab.eventsOf(pool);
    expect(said).toEqual(expect.arrayContaining(["ImageUpdateAvailable", "RolloutStarted", "RolloutCompleted"]));
    const ofNode = await lab.eventsOf(nodes.names[0] ?? "");
    expect(ofNode).toEqual(expect.arrayContaining(["Staging", "Staged", "Rebooting", "Idle"]));
  });

  /** By Pawl, at one time. */
  function mostCordoned(): number {
    const cordoned = new Set<string>();
    let most = 0;
    for (const { kind, object } of lab.happenings()) {
      if (kind !== "Node") continue;
      const { name = "", annotations } = object.metadata ?? {};
      if (annotations?.[marks.cordonedFor] === undefined) cordoned.delete(name);
      else cordoned.add(name);
      most = Math.max(most, cordoned.size);
    }
    return most;
  }
});
