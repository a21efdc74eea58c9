import { describe, expect, test } from "vitest";
import { stepNodes } from "../../functions/handlers/step-nodes.ts";
import type { PoolTaskInput } from "../../functions/pool-contract.ts";
import { bootcNode as asked, digestB, imageA, imageB } from "../domain/node-pool/pools.ts";
import { once } from "../support/fake-ports.ts";
import { noon } from "../support/workloads.ts";
import { newPool, type PoolWorld, type PoolWorldOptions, poolStep, poolWorld } from "./pool-world.ts";

const input: PoolTaskInput<"StepNodes"> = {
  ...poolStep("roll-1"),
  executionStartedAt: noon.toISOString(),
  ticks: 0,
};

/** A pool that the execution has claimed. */
function claimed(options: PoolWorldOptions = {}): PoolWorld {
  return poolWorld({ ...options, of: { ...(options.of ?? newPool()), execution: "roll-1" } });
}

/** Ticks with a turn of every agent after each. */
async function ticks(world: PoolWorld, count: number) {
  let answer = await stepNodes(world.ports, input);
  for (let tick = 1; tick < count; tick += 1) {
    world.turn();
    answer = await stepNodes(world.ports, { ...input, ticks: tick });
  }
  return answer;
}

function stepsOf({ ports }: PoolWorld, node: string) {
  return ports.nodePools.writes.filter((write) => write.node === node).map(({ step }) => step.kind);
}

describe("StepNodes", () => {
  test("asks every node for its image in one tick", async () => {
    const world = claimed();
    expect(await ticks(world, 1)).toMatchObject({ kind: "working", ticks: 1, waitSeconds: 30, drains: false });
    for (const name of world.names) {
      expect(stepsOf(world, name)).toEqual(["create", "label"]);
      expect(world.ports.nodePools.node(name).bootcNode).toMatchObject({
        desiredImage: imageB,
        desiredImageState: "Staged",
      });
    }
  });

  test("names the first nodes that move, and counts the others", async () => {
    const staging = "its agent is pending";
    const reason = ["w1", "w2", "w3", "w4", "w5"].map((name) => `${name}: ${staging}`).join("; ");
    expect(await ticks(claimed({ count: 7 }), 1)).toMatchObject({ reason: `${reason}; 2 more move` });
  });

  test("takes no more slots than there are, and cordons before anything is drained", async () => {
    const world = claimed();
    const reason = "w1: it is being drained; 2 wait for a slot";
    expect(await ticks(world, 2)).toMatchObject({ kind: "working", drains: true, waitSeconds: 5, reason });
    expect(stepsOf(world, "w1")).toEqual(["create", "label", "take-slot", "cordon"]);
    expect(stepsOf(world, "w2")).toEqual(["create", "label"]);
    expect(world.ports.nodePools.node("w1").node).toMatchObject({ unschedulable: true, cordonedFor: "workers" });
  });

  test("says on the pool where it stands", async () => {
    const world = claimed();
    await ticks(world, 2);
    const { status } = world.ports.nodePools.pool("workers");
    expect(status).toMatchObject({ nodeCount: 3, updatedCount: 0, updatingCount: 3, targetDigest: digestB });
    expect(status.conditions[0]?.message).toBe("0/3 updated; 0 pending, 0 staging, 3 staged, 0 rebooting, 0 degraded");
  });

  test("writes nothing and does not speak where nothing is new", async () => {
    const world = claimed();
    await ticks(world, 2);
    const { resourceVersion } = world.ports.nodePools.pool("workers");
    const [writes, events] = [world.ports.nodePools.writes.length, world.ports.nodePools.events().length];
    await stepNodes(world.ports, input);
    expect(world.ports.nodePools.pool("workers").resourceVersion).toBe(resourceVersion);
    expect([world.ports.nodePools.writes.length, world.ports.nodePools.events().length]).toEqual([writes, events]);
  });

  test("touches nothing where the claim is another's", async () => {
    const world = poolWorld({ of: { ...newPool(), execution: "roll-2" } });
    expect(await ticks(world, 1)).toMatchObject({ kind: "superseded", reason: "the claim is held by roll-2" });
    expect(world.ports.nodePools.writes).toEqual([]);
  });

  test("touches nothing where the pool is gone", async () => {
    const world = claimed();
    world.ports.nodePools.remove("workers");
    expect(await ticks(world, 1)).toMatchObject({ kind: "superseded" });
    expect(world.ports.nodePools.writes).toEqual([]);
  });

  test("leaves a node that has changed meanwhile to the next tick, and goes on with the others", async () => {
    const world = claimed({
      atMoment: once("before write create", () => {
        const { node, ...rest } = world.ports.nodePools.node("w1");
        if (node !== null)
          world.ports.nodePools.putNode({ ...rest, node: { ...node, labels: { role: "worker", a: "b" } } });
      }),
    });
    expect(await ticks(world, 1)).toMatchObject({ kind: "working", waitSeconds: 2 });
    expect(stepsOf(world, "w1")).toEqual([]);
    expect(stepsOf(world, "w2")).toEqual(["create", "label"]);
  });

  test("begins nothing more when time is up", async () => {
    const world = claimed();
    const answer = await stepNodes(world.ports, input, { outOfTime: AbortSignal.abort() });
    expect(answer).toMatchObject({ kind: "working", waitSeconds: 2 });
    expect(world.ports.nodePools.writes).toEqual([]);
  });

  test("hands over before the history of the execution is full", async () => {
    const world = claimed();
    expect(await stepNodes(world.ports, { ...input, ticks: 299 })).toMatchObject({ kind: "handover", ticks: 300 });
  });

  test("ends where every node runs the image", async () => {
    const world = claimed({ of: newPool({ maxUnavailable: { unit: "nodes", amount: 3 } }), count: 0 });
    expect(await ticks(world, 1)).toMatchObject({ kind: "settled" });
    expect(world.ports.nodePools.pool("workers").status.conditions[0]).toMatchObject({ reason: "AllUpdated" });
  });

  test("says of a deleted pool alone that every node has left it", async () => {
    const world = claimed({ of: { ...newPool(), isBeingDeleted: true, hasFinalizer: true }, count: 1 });
    const leaving = world.ports.nodePools.node("w1");
    world.ports.nodePools.putNode({
      ...leaving,
      bootcNode: { ...asked, owner: { name: "workers", uid: "pool-1" } },
    });
    expect(await ticks(world, 1)).toMatchObject({ kind: "emptied", reason: "every node has left it" });
    expect(stepsOf(world, "w1")).toContain("delete");
  });

  test("ends where a person has paused the pool, after its nodes were asked to stage", async () => {
    const world = claimed({ of: newPool({ paused: true }) });
    expect(await ticks(world, 1)).toMatchObject({ kind: "held" });
    expect(stepsOf(world, "w1")).toEqual(["create", "label"]);
  });

  test("ends as halted where two nodes that hold slots are unhealthy", async () => {
    const world = claimed({ of: newPool({ maxUnavailable: { unit: "nodes", amount: 2 } }), count: 4 });
    await ticks(world, 2);
    for (const name of ["w1", "w2"]) {
      const { bootcNode, ...rest } = world.ports.nodePools.node(name);
      if (bootcNode === null) throw new Error(name);
      world.ports.nodePools.putNode({ ...rest, bootcNode: { ...bootcNode, bootedDigest: digestB, error: "bad" } });
    }
    expect(await stepNodes(world.ports, input)).toMatchObject({ kind: "halted" });
    expect(world.ports.nodePools.events().map(({ reason }) => reason)).toContain("RolloutHalted");
  });

  test("does nothing for a pool that cannot be read, and says why", async () => {
    const world = claimed({ of: { ...newPool(), problems: ["image.ref: is empty"] } });
    expect(await ticks(world, 1)).toMatchObject({ kind: "held", reason: "image.ref: is empty" });
    expect(world.ports.nodePools.writes).toEqual([]);
  });

  test("revokes a reboot whose image has changed", async () => {
    const world = claimed();
    await ticks(world, 2);
    const { bootcNode, ...rest } = world.ports.nodePools.node("w1");
    if (bootcNode === null) throw new Error("w1");
    world.ports.nodePools.putNode({ ...rest, bootcNode: { ...bootcNode, desiredImageState: "Booted" } });
    const changed = world.ports.nodePools.pool("workers");
    world.ports.nodePools.putPool({ ...changed, generation: 2, spec: { ...changed.spec, imageRef: imageA } });
    await stepNodes(world.ports, input);
    expect(world.ports.nodePools.node("w1").bootcNode).toMatchObject({
      desiredImage: imageA,
      desiredImageState: "Staged",
    });
  });
});
