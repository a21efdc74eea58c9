import { describe, expect, test } from "vitest";
import { drainNodes } from "../../../functions/handlers/drain-nodes.ts";
import { reconcileNodes } from "../../../functions/handlers/reconcile-nodes.ts";
import { imageA } from "../../domain/node-pool/pools.ts";
import { once } from "../../support/fake-ports.ts";
import { noon } from "../../support/workloads.ts";
import {
  newPool,
  type PoolFixture,
  type PoolFixtureOptions,
  poolStepInput,
  createPoolFixture,
  web,
} from "./node-pool-fixtures.ts";

const input = poolStepInput("roll-1");
const step = { ...input, executionStartedAt: noon.toISOString(), rounds: 0 };

/** Creates a pool whose node w1 holds a slot and is cordoned. */
async function draining(options: PoolFixtureOptions = {}): Promise<PoolFixture> {
  const fixture = createPoolFixture({ ...options, pool: { ...(options.pool ?? newPool()), execution: "roll-1" } });
  await reconcileNodes(fixture.ports, step);
  fixture.stepAgents();
  await reconcileNodes(fixture.ports, step);
  return fixture;
}

function w1({ ports }: PoolFixture) {
  const { bootcNode } = ports.nodePools.node("w1");
  if (bootcNode === null) throw new Error("w1 has no BootcNode");
  return bootcNode;
}

describe("DrainNodes", () => {
  test("evicts pods, and approves the reboot only once none is left", async () => {
    const fixture = await draining();
    expect(await drainNodes(fixture.ports, input)).toEqual({ kind: "drained", reason: "w1: 1 evicted" });
    expect(w1(fixture).desiredImageState).toBe("Staged");
    expect(await drainNodes(fixture.ports, input)).toEqual({
      kind: "drained",
      reason: "w1: is drained, and its reboot is approved",
    });
    expect(w1(fixture)).toMatchObject({ desiredImageState: "Booted" });
  });

  test("waits while a PodDisruptionBudget blocks an eviction", async () => {
    const fixture = await draining({ isBlocked: () => true });
    const reason = "w1: 0 evicted, 1 not yet: shop/web: a PodDisruptionBudget blocks it";
    for (let again = 0; again < 3; again += 1) {
      expect(await drainNodes(fixture.ports, input)).toEqual({ kind: "drained", reason });
    }
    expect(w1(fixture).desiredImageState).toBe("Staged");
  });

  test("evicts no pod while one must not be evicted, and names it once the drain is slow", async () => {
    const drain = { force: false, deleteEmptyDirData: true };
    const fixture = await draining({ pool: newPool({ drain }) });
    const debug = { ...web, name: "debug", uid: "debug", controller: null };
    fixture.ports.nodePools.putPods("w1", [web, debug]);
    const reason = "shop/debug has no controller, and drain.force is false";
    const refusals = () => fixture.ports.nodePools.events().filter((event) => event.reason === "EvictionRefused");
    expect(await drainNodes(fixture.ports, input)).toEqual({ kind: "drained", reason: `w1: ${reason}` });
    expect(refusals()).toEqual([]);
    fixture.ports.pass(300);
    await drainNodes(fixture.ports, input);
    expect(refusals()).toMatchObject([{ type: "Warning", message: expect.stringContaining(reason) }]);
    expect(await fixture.ports.nodePools.listPods("w1")).toHaveLength(2);
    fixture.ports.nodePools.putPods("w1", [web]);
    expect(await drainNodes(fixture.ports, input)).toEqual({ kind: "drained", reason: "w1: 1 evicted" });
  });

  test("waits for terminating pods, and does not evict them again", async () => {
    const fixture = await draining();
    fixture.ports.nodePools.putPods("w1", [{ ...web, isBeingDeleted: true }]);
    expect(await drainNodes(fixture.ports, input)).toEqual({ kind: "drained", reason: "w1: 1 pod is terminating" });
    expect(await fixture.ports.nodePools.listPods("w1")).toHaveLength(1);
  });

  test("restarts and reports a drain that exceeds its timeout", async () => {
    let isBlocked = true;
    const fixture = await draining({ pool: newPool({ drainTimeoutSeconds: 60 }), isBlocked: () => isBlocked });
    fixture.ports.pass(61);
    expect(await drainNodes(fixture.ports, input)).toEqual({
      kind: "drained",
      reason:
        "w1: its drain is restarted: 1 pod is left after 60 s; w1: 0 evicted, 1 not yet: shop/web: a PodDisruptionBudget blocks it",
    });
    expect(w1(fixture).slot?.drainStartedAt).toEqual(fixture.ports.now());
    expect(fixture.ports.nodePools.events().map(({ reason }) => reason)).toContain("DrainFailed");
    expect((await drainNodes(fixture.ports, input)).reason).toContain("1 not yet");
    // A drain that is blocked for long is checked less often than its timeout.
    isBlocked = false;
    fixture.ports.pass(600);
    expect((await drainNodes(fixture.ports, input)).reason).toMatch(/its drain is restarted: .*; w1: 1 evicted$/);
  });

  test("records what blocks a slow drain, for the condition of the pool, and once it blocks no more", async () => {
    let isStillBlocked = true;
    const fixture = await draining({ isBlocked: () => isStillBlocked });
    const { nodePools } = fixture.ports;
    const block = "shop/web: a PodDisruptionBudget blocks it";
    const records = () => nodePools.writes.filter(({ step: { kind } }) => kind === "record-block");
    await drainNodes(fixture.ports, input);
    expect(records()).toEqual([]);
    fixture.ports.pass(901);
    for (let again = 0; again < 3; again += 1) await drainNodes(fixture.ports, input);
    expect(records()).toEqual([{ node: "w1", step: { kind: "record-block", reason: block } }]);
    await reconcileNodes(fixture.ports, step);
    const message = `Degraded nodes: w1 (not drained after 900 s: ${block})`;
    expect(nodePools.pool("workers").status.conditions).toContainEqual(
      expect.objectContaining({ reason: "NodeDegraded", message }),
    );
    isStillBlocked = false;
    await drainNodes(fixture.ports, input);
    expect(w1(fixture).drainBlockedBy).toBeNull();
  });

  test.for([
    { when: "before the timeout", seconds: 899, pods: 1, events: [] },
    { when: "after the timeout", seconds: 901, pods: 0, events: [/^Deletes shop\/web: a PodDisruptionBudget/] },
    {
      when: "after the timeout, without the right to",
      seconds: 901,
      mayDeletePods: false,
      pods: 1,
      events: [
        /^Deletes shop\/web/,
        /^Cannot delete .* lacks the right to delete pods: kubectl apply -k .*forced-drains/,
      ],
    },
  ])("Force deletes the pods that a PodDisruptionBudget protects: $when", async (one) => {
    const { seconds, pods, events, mayDeletePods = true } = one;
    const pool = newPool({ onDrainTimeout: "Force" });
    const fixture = await draining({ pool, isBlocked: () => true, mayDeletePods });
    fixture.ports.pass(seconds);
    for (let again = 0; again < 2; again += 1) await drainNodes(fixture.ports, input);
    expect(await fixture.ports.nodePools.listPods("w1")).toHaveLength(pods);
    const forced = fixture.ports.nodePools.events().filter(({ reason }) => reason === "DrainForced");
    expect(forced.map(({ message }) => message)).toEqual(events.map((text) => expect.stringMatching(text)));
    expect(w1(fixture).desiredImageState).toBe(pods === 0 ? "Booted" : "Staged");
  });

  test("does not drain a node that has left the pool", async () => {
    const fixture = await draining();
    const { node, ...rest } = fixture.ports.nodePools.node("w1");
    if (node !== null) fixture.ports.nodePools.putNode({ ...rest, node: { ...node, labels: {} } });
    expect(await drainNodes(fixture.ports, input)).toEqual({ kind: "drained", reason: "" });
    expect(await fixture.ports.nodePools.listPods("w1")).toHaveLength(1);
  });

  test("does not drain for an image that is no longer the target", async () => {
    const fixture = await draining();
    const changed = fixture.ports.nodePools.pool("workers");
    fixture.ports.nodePools.putPool({ ...changed, generation: 2, spec: { ...changed.spec, imageRef: imageA } });
    expect(await drainNodes(fixture.ports, input)).toEqual({ kind: "drained", reason: "" });
    expect(await fixture.ports.nodePools.listPods("w1")).toHaveLength(1);
  });

  test("does not approve a reboot of a node that has changed since it was read", async () => {
    const fixture = await draining({
      atMoment: once("before write approve", () => {
        const { bootcNode, ...rest } = fixture.ports.nodePools.node("w1");
        if (bootcNode !== null)
          fixture.ports.nodePools.putNode({ ...rest, bootcNode: { ...bootcNode, stagedDigest: null } });
      }),
    });
    await drainNodes(fixture.ports, input);
    expect(await drainNodes(fixture.ports, input)).toEqual({
      kind: "drained",
      reason: "w1: has changed since it was read",
    });
    expect(w1(fixture).desiredImageState).toBe("Staged");
  });

  test("reads only cordoned Nodes", async () => {
    const fixture = await draining();
    const before = { ...fixture.ports.nodePools.reads };
    await drainNodes(fixture.ports, input);
    expect(fixture.ports.nodePools.reads).toEqual(before);
  });

  test("drains several nodes concurrently, and leaves the rest to the next round at the deadline", async () => {
    const fixture = await draining({ count: 6, pool: newPool({ maxUnavailable: { unit: "nodes", amount: 5 } }) });
    const late = await drainNodes(fixture.ports, input, { signal: AbortSignal.abort() });
    expect(late.reason.split("; ")).toHaveLength(5);
    expect(late.reason).toMatch(/^w1: is left to the next round; w2/);
    expect(await fixture.ports.nodePools.listPods("w1")).toHaveLength(1);
    const { reason } = await drainNodes(fixture.ports, input);
    expect(reason).toBe([1, 2, 3, 4, 5].map((node) => `w${node}: 1 evicted`).join("; "));
  });

  test("changes nothing if another execution holds the claim", async () => {
    const fixture = await draining();
    expect(await drainNodes(fixture.ports, { ...input, execution: "roll-2" })).toMatchObject({ kind: "superseded" });
    expect(await fixture.ports.nodePools.listPods("w1")).toHaveLength(1);
  });
});
