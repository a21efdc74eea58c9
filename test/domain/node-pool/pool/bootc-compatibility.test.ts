import { describe, expect, test } from "vitest";
import { computePoolStatus } from "../../../../functions/domain/node-pool/pool/status.ts";
import type { NodePool, NodePoolSpec } from "../../../../functions/domain/node-pool/pool/node-pool.ts";
import { digestA, digestB, imageA, imageC, pool } from "../pools.ts";
import { runRound, runUntilIdle } from "../simulation/rollout.ts";
import { machinesCordonedByPawl, countHeldSlots } from "../simulation/invariants.ts";
import { observe, findMachine, setNode, type World, createWorld } from "../simulation/world.ts";

const maxUnavailable = (amount: number): Partial<NodePoolSpec> => ({ maxUnavailable: { unit: "nodes", amount } });
const statusNow = (world: World) => computePoolStatus(observe(world), null);
const condition = (world: World, type: string) => statusNow(world).conditions.find((one) => one.type === type);
const edit = (world: World, spec: Partial<NodePoolSpec>) => {
  world.pool = { ...world.pool, spec: { ...world.pool.spec, ...spec } };
};

/** Runs rounds until the condition is true. */
function until(world: World, isDone: () => boolean): void {
  for (let count = 0; !isDone(); count += 1) {
    if (count > 100) throw new Error("the condition is still false after 100 rounds");
    runRound(world);
  }
}

const isStaged = (world: World) => statusNow(world).conditions[0]?.message.includes("0 pending, 0 staging") === true;

describe("a rollout", () => {
  test("updates three nodes one at a time, by name: cordon, drain, boot, uncordon, release", () => {
    const world = createWorld(3, digestA);
    const { steps } = runUntilIdle(world);
    const disruptive = new Set(["acquire-slot", "cordon", "evict", "approve", "uncordon", "release-slot"]);
    const disruptions = steps
      .filter(({ step }) => disruptive.has(step.kind))
      .map(({ name, step }) => `${name} ${step.kind}`);
    const of = (name: string) => [...disruptive].map((kind) => `${name} ${kind}`);
    expect(disruptions).toEqual([...of("w1"), ...of("w2"), ...of("w3")]);
    expect(statusNow(world)).toMatchObject({ updatedCount: 3, deployedDigest: digestB, updateAvailable: false });
    expect(condition(world, "Degraded")?.reason).toBe("Healthy");
  });

  test("updates at most three of twelve nodes at once at 25 %", () => {
    const world = createWorld(12, digestA, pool({ maxUnavailable: { unit: "percent", amount: 25 } }));
    let most = 0;
    until(world, () => {
      most = Math.max(most, machinesCordonedByPawl(world).length);
      return statusNow(world).updatedCount === 12 && countHeldSlots(world) === 0;
    });
    expect(most).toBe(3);
  });

  test("skips a node that fails without a slot, and reports it", () => {
    const world = createWorld(2, digestA);
    findMachine(world, "w1").fault = "stage-fails";
    runUntilIdle(world);
    expect(condition(world, "Degraded")).toMatchObject({ reason: "NodeDegraded", message: "Degraded nodes: w1" });
    expect(findMachine(world, "w1").booted).toBe(digestA);
    expect(findMachine(world, "w2").booted).toBe(digestB);
  });

  test("halts at two unhealthy slot holders, releases a healthy one, and resumes after recovery", () => {
    const world = createWorld(4, digestA, pool(maxUnavailable(3)));
    findMachine(world, "w1").fault = "degraded";
    findMachine(world, "w2").fault = "not-ready";
    until(
      world,
      () => findMachine(world, "w3").booted === digestB && findMachine(world, "w3").bootcNode?.slot === null,
    );
    for (let count = 0; count < 20; count += 1) runRound(world);
    const halted = {
      reason: "RolloutHalted",
      message: "Unhealthy nodes in reboot slots: w1 (Degraded), w2 (NotReady)",
    };
    expect(condition(world, "Degraded")).toMatchObject(halted);
    expect(findMachine(world, "w4")).toMatchObject({ booted: digestA, bootcNode: { slot: null } });
    for (const { name } of world.machines) findMachine(world, name).fault = null;
    runUntilIdle(world);
    expect(world.machines.map(({ booted }) => booted)).toEqual([digestB, digestB, digestB, digestB]);
    expect(condition(world, "Degraded")?.reason).toBe("Healthy");
  });
});

describe("a rollout that is stopped", () => {
  test("by a label during a blocked drain: the node is uncordoned and unlabeled, and never reboots", () => {
    const world = createWorld(1, digestA);
    const machine = findMachine(world, "w1");
    machine.isEvictionBlocked = true;
    until(world, () => machinesCordonedByPawl(world).length === 1);
    for (let count = 0; count < 10; count += 1) runRound(world);
    expect(machine.bootcNode?.desiredImageState).toBe("Staged");
    setNode(machine, { labels: { "bootc.dev/managed": "" } });
    const { steps } = runUntilIdle(world);
    expect(steps.map(({ step }) => step.kind)).toEqual(["uncordon", "unprotect", "unlabel", "delete"]);
    expect(machine).toMatchObject({ bootcNode: null, node: { unschedulable: false, labels: {} } });
  });

  test("by a pause: all nodes stage and none boots; after the pause the rollout completes", () => {
    const world = createWorld(3, digestA, pool({ paused: true }));
    until(world, () => isStaged(world));
    expect(runUntilIdle(world).steps).toEqual([]);
    expect(condition(world, "UpToDate")).toMatchObject({ status: "False", reason: "Paused" });
    edit(world, { paused: false });
    runUntilIdle(world);
    expect(condition(world, "UpToDate")?.reason).toBe("AllUpdated");
  });

  test("by the previous image: every approved reboot is revoked, and all nodes return to it", () => {
    const world = createWorld(3, digestA, pool(maxUnavailable(2)));
    until(world, () => findMachine(world, "w1").isDown);
    edit(world, { imageRef: imageA });
    runUntilIdle(world);
    expect(world.machines.map(({ booted }) => booted)).toEqual([digestA, digestA, digestA]);
    expect(world.machines.every(({ node, bootcNode }) => !node?.unschedulable && bootcNode?.slot === null)).toBe(true);
  });

  test("by another image: one write requests it as Staged", () => {
    const world = createWorld(1, digestA);
    until(world, () => findMachine(world, "w1").bootcNode?.desiredImageState === "Booted");
    edit(world, { imageRef: imageC });
    runRound(world);
    expect(findMachine(world, "w1").bootcNode).toMatchObject({
      desiredImage: imageC,
      desiredImageState: "Staged",
    });
  });
});

test("two pools that match a node: the second reports a conflict and continues with its other nodes, until a label moves the node", () => {
  const first = createWorld(2, digestA);
  runUntilIdle(first);
  const infra: NodePool = pool({ nodeSelector: { matchLabels: { infra: "" } } }, { name: "infra", uid: "pool-2" });
  for (const machine of first.machines.slice(0, 1))
    setNode(machine, { labels: { ...machine.node?.labels, infra: "" } });
  const second = { ...first, pool: infra };
  expect(condition(second, "Degraded")).toMatchObject({
    reason: "NodeConflict",
    message: "Nodes of another pool: w1 (workers)",
  });
  expect(condition(first, "Degraded")?.reason).toBe("Healthy");
  setNode(findMachine(first, "w1"), { labels: { infra: "" } });
  runUntilIdle(first);
  runUntilIdle(second);
  expect(findMachine(second, "w1").bootcNode?.owner?.name).toBe("infra");
  expect(condition(second, "Degraded")?.reason).toBe("Healthy");
});
