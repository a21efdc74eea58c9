import { describe, expect, test } from "vitest";
import { drainNodes } from "../../functions/handlers/drain-nodes.ts";
import { stepNodes } from "../../functions/handlers/step-nodes.ts";
import { imageA } from "../domain/node-pool/pools.ts";
import { once } from "../support/fake-ports.ts";
import { noon } from "../support/workloads.ts";
import { newPool, type PoolWorld, type PoolWorldOptions, poolStep, poolWorld, web } from "./pool-world.ts";

const input = poolStep("roll-1");
const step = { ...input, executionStartedAt: noon.toISOString(), ticks: 0 };

/** w1 holds a slot and is cordoned. */
async function draining(options: PoolWorldOptions = {}): Promise<PoolWorld> {
  const world = poolWorld({ ...options, of: { ...(options.of ?? newPool()), execution: "roll-1" } });
  await stepNodes(world.ports, step);
  world.turn();
  await stepNodes(world.ports, step);
  return world;
}

function w1({ ports }: PoolWorld) {
  const { bootcNode } = ports.nodePools.node("w1");
  if (bootcNode === null) throw new Error("w1 has no BootcNode");
  return bootcNode;
}

describe("DrainNodes", () => {
  test("evicts, and approves the reboot only once nothing is left", async () => {
    const world = await draining();
    expect(await drainNodes(world.ports, input)).toEqual({ kind: "drained", reason: "w1: 1 evicted" });
    expect(w1(world).desiredImageState).toBe("Staged");
    expect(await drainNodes(world.ports, input)).toEqual({
      kind: "drained",
      reason: "w1: is drained, and is told to reboot",
    });
    expect(w1(world)).toMatchObject({ desiredImageState: "Booted" });
  });

  test("waits where a PodDisruptionBudget says not yet", async () => {
    const world = await draining({ isKept: () => true });
    const kept = "w1: 0 evicted, 1 not yet: shop/web: a PodDisruptionBudget keeps it";
    for (let again = 0; again < 3; again += 1) {
      expect(await drainNodes(world.ports, input)).toEqual({ kind: "drained", reason: kept });
    }
    expect(w1(world).desiredImageState).toBe("Staged");
  });

  test("waits for pods that are ending, and evicts them no more", async () => {
    const world = await draining();
    world.ports.nodePools.putPods("w1", [{ ...web, isBeingDeleted: true }]);
    expect(await drainNodes(world.ports, input)).toEqual({ kind: "drained", reason: "w1: 1 pod is ending" });
    expect(await world.ports.nodePools.pods("w1")).toHaveLength(1);
  });

  test("begins anew what takes longer than the pool allows, and says so", async () => {
    const world = await draining({ of: newPool({ drainTimeoutSeconds: 60 }), isKept: () => true });
    world.ports.pass(61);
    expect(await drainNodes(world.ports, input)).toEqual({
      kind: "drained",
      reason: "w1: its drain begins anew: 1 pod is left after 60 s",
    });
    expect(w1(world).slot?.drainSince).toEqual(world.ports.now());
    expect(world.ports.nodePools.events().map(({ reason }) => reason)).toContain("DrainFailed");
    expect((await drainNodes(world.ports, input)).reason).toContain("1 not yet");
  });

  test("drains nothing of a node that has left the pool", async () => {
    const world = await draining();
    const { node, ...rest } = world.ports.nodePools.node("w1");
    if (node !== null) world.ports.nodePools.putNode({ ...rest, node: { ...node, labels: {} } });
    expect(await drainNodes(world.ports, input)).toEqual({ kind: "drained", reason: "" });
    expect(await world.ports.nodePools.pods("w1")).toHaveLength(1);
  });

  test("drains nothing for an image that is no longer the target", async () => {
    const world = await draining();
    const changed = world.ports.nodePools.pool("workers");
    world.ports.nodePools.putPool({ ...changed, generation: 2, spec: { ...changed.spec, imageRef: imageA } });
    expect(await drainNodes(world.ports, input)).toEqual({ kind: "drained", reason: "" });
    expect(await world.ports.nodePools.pods("w1")).toHaveLength(1);
  });

  test("approves nothing of a node that has changed since it was read", async () => {
    const world = await draining({
      atMoment: once("before write approve", () => {
        const { bootcNode, ...rest } = world.ports.nodePools.node("w1");
        if (bootcNode !== null)
          world.ports.nodePools.putNode({ ...rest, bootcNode: { ...bootcNode, stagedDigest: null } });
      }),
    });
    await drainNodes(world.ports, input);
    expect(await drainNodes(world.ports, input)).toEqual({ kind: "drained", reason: "w1: has changed meanwhile" });
    expect(w1(world).desiredImageState).toBe("Staged");
  });

  test("reads no Nodes but those that are cordoned", async () => {
    const world = await draining();
    const before = { ...world.ports.nodePools.reads };
    await drainNodes(world.ports, input);
    expect(world.ports.nodePools.reads).toEqual(before);
  });

  test("goes on with several nodes at once, and leaves to the next step what it has no time for", async () => {
    const world = await draining({ count: 6, of: newPool({ maxUnavailable: { unit: "nodes", amount: 5 } }) });
    const late = await drainNodes(world.ports, input, { outOfTime: AbortSignal.abort() });
    expect(late.reason.split("; ")).toHaveLength(5);
    expect(late.reason).toMatch(/^w1: is left to the next step; w2/);
    expect(await world.ports.nodePools.pods("w1")).toHaveLength(1);
    const { reason } = await drainNodes(world.ports, input);
    expect(reason).toBe([1, 2, 3, 4, 5].map((node) => `w${node}: 1 evicted`).join("; "));
  });

  test("touches nothing where the claim is another's", async () => {
    const world = await draining();
    expect(await drainNodes(world.ports, { ...input, execution: "roll-2" })).toMatchObject({ kind: "superseded" });
    expect(await world.ports.nodePools.pods("w1")).toHaveLength(1);
  });
});
