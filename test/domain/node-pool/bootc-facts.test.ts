import { describe, expect, test } from "vitest";
import { statusOf } from "../../../functions/domain/node-pool/status.ts";
import type { NodePool, NodePoolSpec } from "../../../functions/domain/node-pool/types.ts";
import { digestA, digestB, imageA, imageC, pool } from "./pools.ts";
import { round, runUntilStill } from "./simulation/rollout.ts";
import { cordonedByPawl, heldSlots } from "./simulation/watch.ts";
import { lookAt, machineOf, setNode, type World, worldOf } from "./simulation/world.ts";

const max = (amount: number): Partial<NodePoolSpec> => ({ maxUnavailable: { unit: "nodes", amount } });
const statusNow = (world: World) => statusOf(lookAt(world), null);
const condition = (world: World, type: string) => statusNow(world).conditions.find((one) => one.type === type);
const edit = (world: World, spec: Partial<NodePoolSpec>) => {
  world.pool = { ...world.pool, spec: { ...world.pool.spec, ...spec } };
};

/** Rounds until something is so. */
function until(world: World, isSo: () => boolean): void {
  for (let count = 0; !isSo(); count += 1) {
    if (count > 100) throw new Error("it never is so");
    round(world);
  }
}

const isStaged = (world: World) => statusNow(world).conditions[0]?.message.includes("0 pending, 0 staging") === true;

describe("a rollout", () => {
  test("of three nodes, one at a time and by name: cordoned, drained, booted, uncordoned, freed", () => {
    const world = worldOf(3, digestA);
    const { steps } = runUntilStill(world);
    const disruptive = new Set(["take-slot", "cordon", "evict", "approve", "uncordon", "free-slot"]);
    const told = steps.filter(({ step }) => disruptive.has(step.kind)).map(({ name, step }) => `${name} ${step.kind}`);
    const of = (name: string) => [...disruptive].map((kind) => `${name} ${kind}`);
    expect(told).toEqual([...of("w1"), ...of("w2"), ...of("w3")]);
    expect(statusNow(world)).toMatchObject({ updatedCount: 3, deployedDigest: digestB, updateAvailable: false });
    expect(condition(world, "Degraded")?.reason).toBe("Healthy");
  });

  test("of twelve nodes at 25 %: three at once, and never more", () => {
    const world = worldOf(12, digestA, pool({ maxUnavailable: { unit: "percent", amount: 25 } }));
    let most = 0;
    until(world, () => {
      most = Math.max(most, cordonedByPawl(world).length);
      return statusNow(world).updatedCount === 12 && heldSlots(world) === 0;
    });
    expect(most).toBe(3);
  });

  test("goes around a node that fails without a slot, and names it", () => {
    const world = worldOf(2, digestA);
    machineOf(world, "w1").fault = "stage-fails";
    runUntilStill(world);
    expect(condition(world, "Degraded")).toMatchObject({ reason: "NodeDegraded", message: "Degraded nodes: w1" });
    expect(machineOf(world, "w1").booted).toBe(digestA);
    expect(machineOf(world, "w2").booted).toBe(digestB);
  });

  test("halts at two unhealthy holders, lets a healthy one out, and goes on once they are healed", () => {
    const world = worldOf(4, digestA, pool(max(3)));
    machineOf(world, "w1").fault = "degraded";
    machineOf(world, "w2").fault = "not-ready";
    until(world, () => machineOf(world, "w3").booted === digestB && machineOf(world, "w3").bootcNode?.slot === null);
    for (let count = 0; count < 20; count += 1) round(world);
    const halted = {
      reason: "RolloutHalted",
      message: "Unhealthy nodes in reboot slots: w1 (Degraded), w2 (NotReady)",
    };
    expect(condition(world, "Degraded")).toMatchObject(halted);
    expect(machineOf(world, "w4")).toMatchObject({ booted: digestA, bootcNode: { slot: null } });
    for (const { name } of world.machines) machineOf(world, name).fault = null;
    runUntilStill(world);
    expect(world.machines.map(({ booted }) => booted)).toEqual([digestB, digestB, digestB, digestB]);
    expect(condition(world, "Degraded")?.reason).toBe("Healthy");
  });
});

describe("a rollout that is stopped", () => {
  test("by a label while a budget blocks its drain: deleted, uncordoned, unlabelled, and never told to boot", () => {
    const world = worldOf(1, digestA);
    const machine = machineOf(world, "w1");
    machine.isBlocked = true;
    until(world, () => cordonedByPawl(world).length === 1);
    for (let count = 0; count < 10; count += 1) round(world);
    expect(machine.bootcNode?.desiredImageState).toBe("Staged");
    setNode(machine, { labels: { "bootc.dev/managed": "" } });
    const { steps } = runUntilStill(world);
    expect(steps.map(({ step }) => step.kind)).toEqual(["uncordon", "unlabel", "delete"]);
    expect(machine).toMatchObject({ bootcNode: null, node: { unschedulable: false, labels: {} } });
  });

  test("by a pause: all is staged and nothing boots; after it the rollout is completed", () => {
    const world = worldOf(3, digestA, pool({ paused: true }));
    until(world, () => isStaged(world));
    expect(runUntilStill(world).steps).toEqual([]);
    expect(condition(world, "UpToDate")).toMatchObject({ status: "False", reason: "Paused" });
    edit(world, { paused: false });
    runUntilStill(world);
    expect(condition(world, "UpToDate")?.reason).toBe("AllUpdated");
  });

  test("by the image before: every leave to reboot is revoked, and all come back", () => {
    const world = worldOf(3, digestA, pool(max(2)));
    until(world, () => machineOf(world, "w1").isDown);
    edit(world, { imageRef: imageA });
    runUntilStill(world);
    expect(world.machines.map(({ booted }) => booted)).toEqual([digestA, digestA, digestA]);
    expect(world.machines.every(({ node, bootcNode }) => !node?.unschedulable && bootcNode?.slot === null)).toBe(true);
  });

  test("by another image: the node is asked for it and Staged in one write", () => {
    const world = worldOf(1, digestA);
    until(world, () => machineOf(world, "w1").bootcNode?.desiredImageState === "Booted");
    edit(world, { imageRef: imageC });
    round(world);
    expect(machineOf(world, "w1").bootcNode).toMatchObject({
      desiredImage: imageC,
      desiredImageState: "Staged",
    });
  });
});

test("two pools that match a node: the second is in conflict and goes on with the rest, until a label hands it over", () => {
  const first = worldOf(2, digestA);
  runUntilStill(first);
  const infra: NodePool = pool({ nodeSelector: { matchLabels: { infra: "" } } }, { name: "infra", uid: "pool-2" });
  for (const machine of first.machines.slice(0, 1))
    setNode(machine, { labels: { ...machine.node?.labels, infra: "" } });
  const second = { ...first, pool: infra };
  expect(condition(second, "Degraded")).toMatchObject({
    reason: "NodeConflict",
    message: "Nodes of another pool: w1 (workers)",
  });
  expect(condition(first, "Degraded")?.reason).toBe("Healthy");
  setNode(machineOf(first, "w1"), { labels: { infra: "" } });
  runUntilStill(first);
  runUntilStill(second);
  expect(machineOf(second, "w1").bootcNode?.owner?.name).toBe("infra");
  expect(condition(second, "Degraded")?.reason).toBe("Healthy");
});
