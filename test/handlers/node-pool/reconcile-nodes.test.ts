import { describe, expect, test } from "vitest";
import { reconcileNodes } from "../../../functions/handlers/reconcile-nodes.ts";
import type { PoolTaskInput } from "../../../functions/contract/node-pool-rollout.ts";
import { bootcNode as managed, digestB, imageA, imageB } from "../../domain/node-pool/pools.ts";
import { once } from "../../support/fake-ports.ts";
import { noon } from "../../support/workloads.ts";
import {
  newPool,
  type PoolFixture,
  type PoolFixtureOptions,
  poolStepInput,
  createPoolFixture,
} from "./node-pool-fixtures.ts";

const input: PoolTaskInput<"ReconcileNodes"> = {
  ...poolStepInput("roll-1"),
  executionStartedAt: noon.toISOString(),
  rounds: 0,
};

/** Creates a pool that the execution has claimed. */
function claimed(options: PoolFixtureOptions = {}): PoolFixture {
  return createPoolFixture({ ...options, pool: { ...(options.pool ?? newPool()), execution: "roll-1" } });
}

/** Runs rounds, with one step of every agent between them. */
async function runRounds(fixture: PoolFixture, count: number) {
  let result = await reconcileNodes(fixture.ports, input);
  for (let round = 1; round < count; round += 1) {
    fixture.stepAgents();
    result = await reconcileNodes(fixture.ports, { ...input, rounds: round });
  }
  return result;
}

function stepsOf({ ports }: PoolFixture, node: string) {
  return ports.nodePools.writes.filter((write) => write.node === node).map(({ step }) => step.kind);
}

describe("ReconcileNodes", () => {
  test("requests the image of every node in one round", async () => {
    const fixture = claimed();
    expect(await runRounds(fixture, 1)).toMatchObject({ kind: "working", rounds: 1, waitSeconds: 30, drains: false });
    for (const name of fixture.names) {
      expect(stepsOf(fixture, name)).toEqual(["create", "label"]);
      expect(fixture.ports.nodePools.node(name).bootcNode).toMatchObject({
        desiredImage: imageB,
        desiredImageState: "Staged",
      });
    }
  });

  test("names the first active nodes, and counts the others", async () => {
    const staging = "its agent is pending";
    const reason = ["w1", "w2", "w3", "w4", "w5"].map((name) => `${name}: ${staging}`).join("; ");
    expect(await runRounds(claimed({ count: 7 }), 1)).toMatchObject({ reason: `${reason}; 2 more in progress` });
  });

  test("acquires no more slots than allowed, and cordons before a drain", async () => {
    const fixture = claimed();
    const reason = "w1: it is being drained; 2 wait for a slot";
    expect(await runRounds(fixture, 2)).toMatchObject({ kind: "working", drains: true, waitSeconds: 5, reason });
    expect(stepsOf(fixture, "w1")).toEqual(["create", "label", "acquire-slot", "cordon"]);
    expect(stepsOf(fixture, "w2")).toEqual(["create", "label"]);
    expect(fixture.ports.nodePools.node("w1").node).toMatchObject({ unschedulable: true, cordonedByPool: "workers" });
  });

  test("updates nodes that run etcd one at a time, also after their Nodes were written", async () => {
    const all = newPool({ maxUnavailable: { unit: "nodes", amount: 3 } });
    const fixture = claimed({ pool: all, etcdNodes: ["w1", "w2", "w3"] });
    const reason = expect.stringMatching(/^w1: it is being drained; 2 wait for a slot$/) as string;
    for (const rounds of [2, 1]) expect(await runRounds(fixture, rounds)).toMatchObject({ kind: "working", reason });
  });

  test("records the status of the pool", async () => {
    const fixture = claimed();
    await runRounds(fixture, 2);
    const { status } = fixture.ports.nodePools.pool("workers");
    expect(status).toMatchObject({ nodeCount: 3, updatedCount: 0, updatingCount: 3, targetDigest: digestB });
    expect(status.conditions[0]?.message).toBe("0/3 updated; 0 pending, 0 staging, 3 staged, 0 rebooting, 0 degraded");
  });

  test("writes nothing and emits nothing without a change", async () => {
    const fixture = claimed();
    await runRounds(fixture, 2);
    const { resourceVersion } = fixture.ports.nodePools.pool("workers");
    const [writes, events] = [fixture.ports.nodePools.writes.length, fixture.ports.nodePools.events().length];
    await reconcileNodes(fixture.ports, input);
    expect(fixture.ports.nodePools.pool("workers").resourceVersion).toBe(resourceVersion);
    expect([fixture.ports.nodePools.writes.length, fixture.ports.nodePools.events().length]).toEqual([writes, events]);
  });

  test("changes nothing if another execution holds the claim", async () => {
    const fixture = createPoolFixture({ pool: { ...newPool(), execution: "roll-2" } });
    expect(await runRounds(fixture, 1)).toMatchObject({ kind: "superseded", reason: "the claim is held by roll-2" });
    expect(fixture.ports.nodePools.writes).toEqual([]);
  });

  test("leaves a node that has changed to the next round, and continues with the others", async () => {
    const fixture = claimed({
      atMoment: once("before write create", () => {
        const { node, ...rest } = fixture.ports.nodePools.node("w1");
        if (node !== null)
          fixture.ports.nodePools.putNode({ ...rest, node: { ...node, labels: { role: "worker", a: "b" } } });
      }),
    });
    expect(await runRounds(fixture, 1)).toMatchObject({ kind: "working", waitSeconds: 2 });
    expect(stepsOf(fixture, "w1")).toEqual([]);
    expect(stepsOf(fixture, "w2")).toEqual(["create", "label"]);
  });

  test("starts nothing after the deadline", async () => {
    const fixture = claimed();
    const result = await reconcileNodes(fixture.ports, input, { signal: AbortSignal.abort() });
    expect(result).toMatchObject({ kind: "working", waitSeconds: 2 });
    expect(fixture.ports.nodePools.writes).toEqual([]);
  });

  test("continues as a new execution before the history limit", async () => {
    const fixture = claimed();
    expect(await reconcileNodes(fixture.ports, { ...input, rounds: 299 })).toMatchObject({
      kind: "continue",
      rounds: 300,
    });
  });

  test("completes once every node runs the image", async () => {
    const fixture = claimed({ pool: newPool({ maxUnavailable: { unit: "nodes", amount: 3 } }), count: 0 });
    expect(await runRounds(fixture, 1)).toMatchObject({ kind: "completed" });
    expect(fixture.ports.nodePools.pool("workers").status.conditions[0]).toMatchObject({ reason: "AllUpdated" });
  });

  test("reports only of a deleted pool that every node has left the pool", async () => {
    const fixture = claimed({ pool: { ...newPool(), isBeingDeleted: true, hasFinalizer: true }, count: 1 });
    const leaving = fixture.ports.nodePools.node("w1");
    fixture.ports.nodePools.putNode({
      ...leaving,
      bootcNode: { ...managed, owner: { name: "workers", uid: "pool-1" } },
    });
    expect(await runRounds(fixture, 1)).toMatchObject({ kind: "emptied", reason: "every node has left the pool" });
    expect(stepsOf(fixture, "w1")).toContain("delete");
  });

  test("ends as held if the pool is paused, after its nodes were requested to stage", async () => {
    const fixture = claimed({ pool: newPool({ paused: true }) });
    expect(await runRounds(fixture, 1)).toMatchObject({ kind: "held" });
    expect(stepsOf(fixture, "w1")).toEqual(["create", "label"]);
  });

  test("ends as halted if two slot holders are unhealthy", async () => {
    const fixture = claimed({ pool: newPool({ maxUnavailable: { unit: "nodes", amount: 2 } }), count: 4 });
    await runRounds(fixture, 2);
    for (const name of ["w1", "w2"]) {
      const { bootcNode, ...rest } = fixture.ports.nodePools.node(name);
      if (bootcNode === null) throw new Error(name);
      fixture.ports.nodePools.putNode({ ...rest, bootcNode: { ...bootcNode, bootedDigest: digestB, error: "bad" } });
    }
    expect(await reconcileNodes(fixture.ports, input)).toMatchObject({ kind: "halted" });
    expect(fixture.ports.nodePools.events().map(({ reason }) => reason)).toContain("RolloutHalted");
  });

  test("uncordons a node that has rebooted, and releases its slot after it has stayed Ready for a minute", async () => {
    const fixture = claimed({ count: 2 });
    await runRounds(fixture, 2);
    const { ports } = fixture;
    const { bootcNode, node, ...rest } = ports.nodePools.node("w1");
    if (bootcNode === null || node === null) throw new Error("w1");
    const back = { ...bootcNode, bootedDigest: digestB, isObserved: true, idle: { activity: null } };
    const setReady = (ready: boolean) => {
      const at = ports.nodePools.node("w1");
      const change = { unschedulable: false, cordonedByPool: null, ready, readyChangedAt: ports.now() };
      ports.nodePools.putNode({ ...at, node: { ...node, ...change } });
    };
    ports.nodePools.putNode({ ...rest, node, bootcNode: back });
    const soaking = {
      kind: "working",
      waitSeconds: 60,
      reason: "w1: it has to stay Ready for 60 s; 1 wait for a slot",
    };
    expect(await reconcileNodes(ports, input)).toMatchObject(soaking);
    ports.pass(30);
    setReady(false);
    expect(await reconcileNodes(ports, input)).toMatchObject({ kind: "working", waitSeconds: 15 });
    setReady(true);
    expect(await reconcileNodes(ports, input)).toMatchObject(soaking);
    ports.pass(60);
    expect(await reconcileNodes(ports, input)).toMatchObject({ kind: "working", drains: true });
    const slotSteps = ["record-boot", "uncordon", "release-slot"];
    expect(stepsOf(fixture, "w1").filter((kind) => slotSteps.includes(kind))).toEqual(slotSteps);
    expect(ports.nodePools.node("w2").bootcNode?.slot).not.toBeNull();
  });

  test("changes nothing for an invalid pool, and reports why", async () => {
    const fixture = claimed({ pool: { ...newPool(), problems: ["image.ref: is empty"] } });
    expect(await runRounds(fixture, 1)).toMatchObject({ kind: "held", reason: "image.ref: is empty" });
    expect(fixture.ports.nodePools.writes).toEqual([]);
  });

  test("revokes a reboot whose image has changed", async () => {
    const fixture = claimed();
    await runRounds(fixture, 2);
    const { bootcNode, ...rest } = fixture.ports.nodePools.node("w1");
    if (bootcNode === null) throw new Error("w1");
    fixture.ports.nodePools.putNode({ ...rest, bootcNode: { ...bootcNode, desiredImageState: "Booted" } });
    const changed = fixture.ports.nodePools.pool("workers");
    fixture.ports.nodePools.putPool({ ...changed, generation: 2, spec: { ...changed.spec, imageRef: imageA } });
    await reconcileNodes(fixture.ports, input);
    expect(fixture.ports.nodePools.node("w1").bootcNode).toMatchObject({
      desiredImage: imageA,
      desiredImageState: "Staged",
    });
  });
});
