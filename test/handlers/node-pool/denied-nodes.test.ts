import { describe, expect, test } from "vitest";
import { drainNodes } from "../../../functions/handlers/drain-nodes.ts";
import { reconcileNodes } from "../../../functions/handlers/reconcile-nodes.ts";
import type { PoolNode } from "../../../functions/domain/node-pool/node/bootc-node.ts";
import type { NodePoolSpec, NodePoolStatus } from "../../../functions/domain/node-pool/pool/node-pool.ts";
import { createInProcessPoolCheckRecorder } from "../../../functions/workflows/node-pool-rollout/record-status.ts";
import { cordoned, failing, member, pool, slot, slotted, staged, updated } from "../../domain/node-pool/pools.ts";
import { pollCluster } from "../../../functions/workflows/poll/poll-cluster.ts";
import type { DenialReason } from "../../support/fakes/fake-node-pools.ts";
import { type FakePorts, fakePorts } from "../../support/fake-ports.ts";
import { noon } from "../../support/workloads.ts";
import { poolStepInput, web } from "./node-pool-fixtures.ts";

const step = { ...poolStepInput("roll-1"), executionStartedAt: noon.toISOString(), rounds: 0 };
const denialMessage = `nodes "a0" is forbidden: ValidatingAdmissionPolicy 'pawl-nodes' denied request: it has no mark`;

/** `a0` has rebooted, in a slot of bootc-operator. */
const a0 = member("a0", { ...updated, slot: { ...slot, nodeUid: null, bootedAt: noon } }, { unschedulable: true });
const b1 = member("b1", slotted, cordoned);
const c2 = member("c2", staged);

interface Options {
  readonly nodes: readonly PoolNode[];
  readonly denialReason: DenialReason;
  readonly maxUnavailable?: number;
  readonly spec?: Partial<NodePoolSpec>;
  readonly freeze?: () => string | null;
  readonly execution?: string | null;
}

function createPorts({
  nodes,
  denialReason,
  maxUnavailable = 2,
  spec = {},
  execution = "roll-1",
  freeze = () => null,
}: Options): FakePorts {
  const of = pool({ maxUnavailable: { unit: "nodes", amount: maxUnavailable }, ...spec }, { execution });
  const pods = Object.fromEntries(nodes.map(({ name }) => [name, [{ ...web, uid: `web-${name}` }]]));
  return fakePorts({ freeze, nodePools: { pools: [of], nodes, pods, denialReason } });
}

const deniesUncordon: DenialReason = (node, kind) => (node === "a0" && kind === "uncordon" ? denialMessage : null);

function degraded({ nodePools }: FakePorts) {
  return nodePools.pool("workers").status.conditions.find(({ type }) => type === "Degraded");
}

function writesOf({ nodePools }: FakePorts) {
  return nodePools.writes.map((write) => `${write.node} ${write.step.kind}`);
}

const denial = `a0: is uncordoned, which admission denies: ${denialMessage}`;

describe("a node whose write is denied", () => {
  test("keeps its slot while the others are drained, and the pool reports why", async () => {
    const ports = createPorts({ nodes: [a0, b1, c2], denialReason: deniesUncordon });
    const answer = await reconcileNodes(ports, step);
    expect(answer).toMatchObject({ kind: "working", drains: true, waitSeconds: 5 });
    expect(answer.reason).toBe(`${denial}; b1: it is being drained; 1 wait for a slot`);
    expect(writesOf(ports)).toEqual([]);
    expect(degraded(ports)).toMatchObject({ reason: "NodeDegraded", message: expect.stringContaining(denialMessage) });
    expect((await drainNodes(ports, step)).reason).toBe("b1: 1 evicted");
  });

  test("ends the execution as held if nothing else is active, and is retried by the next", async () => {
    const ports = createPorts({ nodes: [a0, c2], denialReason: deniesUncordon, maxUnavailable: 1 });
    const held = { kind: "held", reason: `${denial}; all slots are in use` };
    expect(await reconcileNodes(ports, step)).toMatchObject(held);
    expect(await reconcileNodes(ports, step)).toMatchObject(held);
    expect(ports.nodePools.node("a0").bootcNode?.slot).not.toBeNull();
  });

  test("does not block the slot of another node", async () => {
    const denialReason: DenialReason = (node, kind) => (node === "b1" && kind === "acquire-slot" ? "no" : null);
    const ports = createPorts({ nodes: [member("b1", staged), c2], denialReason, maxUnavailable: 1 });
    expect(await reconcileNodes(ports, step)).toMatchObject({ kind: "working", drains: true });
    expect(writesOf(ports)).toEqual(["c2 acquire-slot", "c2 cordon"]);
  });

  test("may be about to join, or to leave", async () => {
    const joins = { ...member("d3"), bootcNode: null };
    const leaves = member("e4", updated, { labels: {} });
    const ports = createPorts({ nodes: [joins, leaves], denialReason: () => "no" });
    const answer = await reconcileNodes(ports, step);
    expect(answer.kind).toBe("held");
    expect(answer.reason).toMatch(/^e4: .* denies: no; d3: joins .* denies: no$/);
    expect(degraded(ports)?.message).toMatch(/^Degraded nodes: d3 \(.*\), e4 \(.*\)$/);
  });

  test("records no Events, and does not block other nodes", async () => {
    const ports = createPorts({
      nodes: [b1, member("c2", { ...staged, ...failing, error: null })],
      denialReason: (node, kind) => (kind === "recordEmittedEvents" && node === "b1" ? "no" : null),
    });
    await reconcileNodes(ports, step);
    expect(ports.nodePools.node("b1").bootcNode?.emittedEvents).toBeNull();
    expect(ports.nodePools.node("c2").bootcNode?.emittedEvents).toMatch(/^staged=/);
  });

  test("is not reported as recovered by a poll that retried nothing", async () => {
    const ports = createPorts({ nodes: [a0, c2], denialReason: deniesUncordon, maxUnavailable: 1, execution: null });
    const { nodePools } = ports;
    const message = "Degraded nodes: a0 (denied)";
    const was: NodePoolStatus["conditions"][number] = {
      type: "Degraded",
      status: "True",
      reason: "NodeDegraded",
      message,
    };
    const before = nodePools.pool("workers");
    nodePools.putPool({ ...before, status: { ...before.status, conditions: [was] } });
    await createInProcessPoolCheckRecorder(ports).record({ name: "workers", uid: "pool-1" }, null);
    expect(degraded(ports)).toEqual(was);
  });
});

const erring = Array.from({ length: 9 }, (_, index) => member(`b${index}`, failing));
const pullSecretRef = { namespace: "os", name: "pull" };

test.for([
  { when: "writes are denied", nodes: [c2] },
  { when: "its pull secret is missing too", nodes: [c2], spec: { pullSecretRef } },
  { when: "other nodes report errors too", nodes: [...erring, c2] },
  { when: "only its executions cannot read freezes", nodes: [c2], frozen: "- {" },
])("a pool costs at most 60 transitions an hour if $when, and a change of its spec is tried at once", async (given) => {
  const { nodes, spec = {}, frozen = null } = given;
  const denialReason = () => (frozen === null ? "no" : null);
  let freeze: string | null = null;
  const ports = createPorts({
    nodes,
    spec,
    maxUnavailable: 20,
    denialReason,
    execution: null,
    freeze: () => freeze,
  });
  const pollFor = async (polls: number) => {
    const before = ports.poolExecutions.started.length;
    for (let poll = 0; poll < polls; poll += 1) {
      ports.pass(300);
      await pollCluster(ports);
      for (const { name } of ports.poolExecutions.running()) {
        const { nodePools } = ports;
        nodePools.putPool({ ...nodePools.pool("workers"), execution: name });
        freeze = frozen;
        expect((await reconcileNodes(ports, { ...step, execution: name })).kind).toBe("held");
        freeze = null;
        nodePools.putPool({ ...nodePools.pool("workers"), execution: null });
        ports.poolExecutions.finish(name);
      }
    }
    return ports.poolExecutions.started.length - before;
  };
  await pollFor(1);
  const transitionsOfOne = 8;
  expect((await pollFor(12)) * transitionsOfOne).toBeLessThanOrEqual(60);
  const workers = ports.nodePools.pool("workers");
  ports.nodePools.putPool({ ...workers, generation: 2 });
  expect(await pollFor(1)).toBe(1);
});

describe("a drain whose approval is denied", () => {
  test("is reported, and the other nodes are drained", async () => {
    const denialReason: DenialReason = (node, kind) =>
      node === "a0" && kind === "approve" ? "no reboots today" : null;
    const ports = createPorts({ nodes: [member("a0", slotted, cordoned), b1], denialReason });
    ports.nodePools.putPods("a0", []);
    const { reason } = await drainNodes(ports, step);
    expect(reason).toBe("a0: admission denies it: no reboots today; b1: 1 evicted");
  });
});

describe("a pod whose eviction is denied", () => {
  const blocked = "shop/web: a PodDisruptionBudget blocks it";

  test("is named, and once in an Event when the drain is slow", async () => {
    const of = pool({}, { execution: "roll-1" });
    const nodePools = { pools: [of], nodes: [b1], pods: { b1: [web] }, isBlocked: () => true };
    const ports = fakePorts({ nodePools });
    expect((await drainNodes(ports, step)).reason).toBe(`b1: 0 evicted, 1 not yet: ${blocked}`);
    expect(ports.nodePools.events()).toEqual([]);
    ports.pass(300);
    await drainNodes(ports, step);
    await drainNodes(ports, step);
    expect(ports.nodePools.events()).toMatchObject([
      { about: "b1", type: "Warning", reason: "EvictionRefused", message: expect.stringContaining(blocked) },
    ]);
  });
});

test("the result for a thousand nodes with different reasons has a few kB", async () => {
  const nodes = Array.from({ length: 1000 }, (_, index) =>
    member(`n${index}`, { ...failing, error: `${index} ${"x".repeat(250)}` }),
  );
  const ports = createPorts({ nodes, denialReason: () => null });
  const answer = await reconcileNodes(ports, step);
  expect(answer).toMatchObject({ kind: "held", reason: expect.stringMatching(/; 995 more$/) });
  expect(JSON.stringify(answer).length).toBeLessThan(4000);
});
