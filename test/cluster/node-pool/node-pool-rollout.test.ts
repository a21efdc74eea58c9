import { beforeAll, test } from "vitest";
import { digestOf, metadataKeys } from "../../support/bootc/objects.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import type { Nodes } from "./node-harness.ts";
import { type NodePoolHarness, openNodePoolHarness, type NodeSummary, idleOn } from "./node-pool-harness.ts";
import { createSuite } from "../suite.ts";

const patience = { timeout: 90_000, interval: 100 };

/** One pool of twelve nodes, from its first image to its deletion. Each test continues with the state of the previous one. */
describeOnRealCluster("twelve nodes at 25 %", () => {
  const suite = createSuite();
  let harness: NodePoolHarness;
  let nodes: Nodes;
  let pool: string;
  const images: Record<string, string> = {};

  beforeAll(async () => {
    harness = suite.closeAfterAll(await openNodePoolHarness(suite.registry));
    images["stable"] = await harness.push("os", "stable");
    nodes = await harness.createNodes(12, images["stable"]);
    await harness.deploy("web", 12, nodes.labels);
    await harness.daemonSet("log", nodes.labels);
    const healthChecks = {
      conditions: [{ type: "Ready" }],
      daemonSets: [{ namespace: harness.namespace, name: "log" }],
    };
    const quarter = { rollout: { maxUnavailable: "25%", healthChecks, cordonedNodes: "Include" } };
    pool = await harness.createPoolOf("workers", nodes, `${suite.registry.host}/os:stable`, quarter);
  });

  const countNodes = async (matches: (node: NodeSummary) => boolean) =>
    Object.values(await harness.observeNodes(nodes)).filter(matches).length;
  const image = (name: string) => images[name] ?? "";

  /** Counts the pods of the Deployment on the nodes. */
  const countWebPods = async () =>
    Object.values(await harness.podsOn(nodes))
      .flat()
      .filter((name) => name === "web").length;

  test("a moved tag is rolled out to all nodes, at most three at a time", async ({ expect }) => {
    const [, , third = ""] = nodes.names;
    await expect
      .poll(() => harness.observePool(pool), patience)
      .toMatchObject({ upToDate: "AllUpdated", degraded: "Healthy" });
    await harness.cordon(third, true);
    images["next"] = await harness.push("os", "stable");
    await expect.poll(() => harness.observePool(pool), patience).toMatchObject({ deployed: digestOf(image("next")) });
    const updated = idleOn(image("next"));
    await expect.poll(() => countNodes((node) => node.hasSlot), patience).toBe(0);
    expect(await harness.observeNodes(nodes)).toMatchObject({
      "01": updated,
      "03": { ...updated, isCordoned: true },
      "12": updated,
    });
    expect(await countNodes(({ booted }) => booted === updated.booted)).toBe(12);
    await harness.cordon(third, false);
    await expect.poll(countWebPods, patience).toBe(12);
    // How many hold a slot together depends on how fast they stage; more than three are a violation.
    expect(maxSlots()).toBeGreaterThan(0);
    await harness.expectNoViolations();
  });

  test("a paused pool only stages; after it is resumed, three nodes begin together, and an image that changes during the rollout reaches all nodes", async ({
    expect,
  }) => {
    images["second"] = await harness.push("os", "second");
    images["third"] = await harness.push("os", "third");
    await harness.setRollout(pool, { paused: true });
    await harness.setImage(pool, image("second"));
    const breakdown = "0/12 updated; 0 pending, 0 staging, 12 staged, 0 rebooting, 0 degraded";
    await expect.poll(() => harness.observePool(pool), patience).toMatchObject({ upToDate: "Paused", breakdown });
    expect(await countNodes((node) => node.hasSlot || node.isCordoned)).toBe(0);
    const resumedAt = harness.changes().length;
    await harness.setRollout(pool, { paused: false });
    const onSecond = digestOf(image("second"));
    await expect.poll(() => countNodes(({ booted }) => booted === onSecond), patience).toBeGreaterThan(0);
    await harness.setImage(pool, image("third"));
    await expect.poll(() => harness.observePool(pool), patience).toMatchObject({ deployed: digestOf(image("third")) });
    expect(
      harness
        .changes()
        .some(({ kind, object }) => kind === "BootcNode" && object.status?.booted?.imageDigest === onSecond),
    ).toBe(true);
    await expect.poll(() => countNodes((node) => node.hasSlot || node.isCordoned), patience).toBe(0);
    expect(maxSlots(resumedAt)).toBe(3);
    await harness.expectNoViolations();
  });

  test("a rollout that is reverted to the previous digest returns all nodes to it", async ({ expect }) => {
    const before = digestOf(image("third"));
    await harness.setImage(pool, image("second"));
    await expect.poll(() => countNodes(({ booted }) => booted !== before), patience).toBeGreaterThan(1);
    await harness.setImage(pool, image("third"));
    await expect.poll(() => countNodes(({ booted, hasSlot }) => booted === before && !hasSlot), patience).toBe(12);
    await expect
      .poll(() => harness.observePool(pool), patience)
      .toMatchObject({ upToDate: "AllUpdated", deployed: before });
    await harness.expectNoViolations();
  });

  test("an image that breaks nodes is rolled back, and is not tried again", async ({ expect }) => {
    const before = digestOf(image("third"));
    images["bad"] = await harness.push("os", "bad");
    for (const name of nodes.names) harness.daemons.fault(name, `comes-back-degraded on ${image("bad")}`);
    await harness.setRollout(pool, { onHalt: "Rollback" });
    await harness.setImage(pool, image("bad"));
    const isBack = { upToDate: "RolledBack", degraded: "RolledBack", deployed: before, updateAvailable: true };
    const breakdown = expect.stringContaining("12/12 updated");
    await expect.poll(() => harness.observePool(pool), patience).toMatchObject({ ...isBack, breakdown });
    await expect.poll(() => countNodes(({ booted, hasSlot }) => booted === before && !hasSlot), patience).toBe(12);
    const broken = harness.changes().flatMap(({ kind, object }) => {
      const isBroken = kind === "BootcNode" && object.status?.booted?.imageDigest === digestOf(image("bad"));
      return isBroken ? [object.metadata?.name] : [];
    });
    expect([2, 3]).toContain(new Set(broken).size);
    expect(await harness.observePool(pool)).toMatchObject(isBack);
    await harness.expectNoViolations();
  });

  test("a pool that is deleted during a rollout releases every node", async ({ expect }) => {
    await harness.setImage(pool, image("next"));
    await expect.poll(() => countNodes(({ isCordoned }) => isCordoned), patience).toBeGreaterThan(0);
    await harness.deletePool(pool);
    await expect.poll(() => harness.observePool(pool), patience).toBeNull();
    const isReleased = ({ owner, isManaged, isCordoned }: NodeSummary) =>
      owner === undefined && !isManaged && !isCordoned;
    expect(await countNodes(isReleased)).toBe(12);
    await harness.expectNoViolations();
    expect(harness.failures).toEqual([]);
  });

  test("emitted Events for the pool and its nodes", async ({ expect }) => {
    const poolEvents = await harness.eventsOf(pool);
    expect(poolEvents).toEqual(
      expect.arrayContaining(["ImageUpdateAvailable", "RolloutStarted", "RolloutCompleted", "RolledBack"]),
    );
    const nodeEvents = await harness.eventsOf(nodes.names[0] ?? "");
    expect(nodeEvents).toEqual(expect.arrayContaining(["Staging", "Staged", "Rebooting", "Idle"]));
  });

  /** Returns the maximum number of nodes that held a slot at the same time, from a position of the recorded changes on. */
  function maxSlots(from = 0): number {
    const holding = new Set<string>();
    let max = 0;
    for (const { kind, object } of harness.changes().slice(from)) {
      if (kind !== "BootcNode") continue;
      const { name = "", annotations } = object.metadata ?? {};
      if (annotations?.[metadataKeys.slot] === undefined) holding.delete(name);
      else holding.add(name);
      max = Math.max(max, holding.size);
    }
    return max;
  }
});
