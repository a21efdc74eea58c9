import { describe, expect, test } from "vitest";
import { drainNodes } from "../../functions/handlers/drain-nodes.ts";
import { stepNodes } from "../../functions/handlers/step-nodes.ts";
import type { NodePoolStatus, PoolNode } from "../../functions/domain/node-pool/types.ts";
import { recordHere } from "../../functions/rolling/record-here.ts";
import { cordoned, failing, member, pool, slot, slotted, staged, updated } from "../domain/node-pool/pools.ts";
import type { Refuses } from "../support/fake-node-pools.ts";
import { type FakePorts, fakePorts } from "../support/fake-ports.ts";
import { noon } from "../support/workloads.ts";
import { poolStep, web } from "./pool-world.ts";

const step = { ...poolStep("roll-1"), executionStartedAt: noon.toISOString(), ticks: 0 };
const why = `nodes "a0" is forbidden: ValidatingAdmissionPolicy 'pawl-nodes' denied request: it has no mark`;

/** `a0` is back in a slot that bootc-operator gave. */
const a0 = member("a0", { ...updated, slot: { ...slot, nodeUid: null } }, { unschedulable: true });
const b1 = member("b1", slotted, cordoned);
const c2 = member("c2", staged);

interface Scene {
  readonly nodes: readonly PoolNode[];
  readonly refuses: Refuses;
  readonly maxUnavailable?: number;
  readonly execution?: string | null;
}

function scene({ nodes, refuses, maxUnavailable = 2, execution = "roll-1" }: Scene): FakePorts {
  const of = pool({ maxUnavailable: { unit: "nodes", amount: maxUnavailable } }, { execution });
  const pods = Object.fromEntries(nodes.map(({ name }) => [name, [{ ...web, uid: `web-${name}` }]]));
  return fakePorts({ nodePools: { pools: [of], nodes, pods, refuses } });
}

const refusesToUncordon: Refuses = (node, kind) => (node === "a0" && kind === "uncordon" ? why : null);

function degraded({ nodePools }: FakePorts) {
  return nodePools.pool("workers").status.conditions.find(({ type }) => type === "Degraded");
}

function writesOf({ nodePools }: FakePorts) {
  return nodePools.writes.map((write) => `${write.node} ${write.step.kind}`);
}

const said = `a0: is uncordoned, which the cluster refuses: ${why}`;

describe("a node whose write is refused", () => {
  test("keeps its slot, and the others go on: they are drained, and the pool says why", async () => {
    const ports = scene({ nodes: [a0, b1, c2], refuses: refusesToUncordon });
    const answer = await stepNodes(ports, step);
    expect(answer).toMatchObject({ kind: "working", drains: true, waitSeconds: 5 });
    expect(answer.reason).toBe(`${said}; b1: it is being drained; 1 wait for a slot`);
    expect(writesOf(ports)).toEqual([]);
    expect(degraded(ports)).toMatchObject({ reason: "NodeDegraded", message: expect.stringContaining(why) });
    expect((await drainNodes(ports, step)).reason).toBe("b1: 1 evicted");
  });

  test("ends the execution as held where nothing else moves, and is tried again by the next", async () => {
    const ports = scene({ nodes: [a0, c2], refuses: refusesToUncordon, maxUnavailable: 1 });
    const held = { kind: "held", reason: `${said}; all slots are taken` };
    expect(await stepNodes(ports, step)).toMatchObject(held);
    expect(await stepNodes(ports, step)).toMatchObject(held);
    expect(ports.nodePools.node("a0").bootcNode?.slot).not.toBeNull();
  });

  test("takes no slot from another that may have it", async () => {
    const refuses: Refuses = (node, kind) => (node === "b1" && kind === "take-slot" ? "no" : null);
    const ports = scene({ nodes: [member("b1", staged), c2], refuses, maxUnavailable: 1 });
    expect(await stepNodes(ports, step)).toMatchObject({ kind: "working", drains: true });
    expect(writesOf(ports)).toEqual(["c2 take-slot", "c2 cordon"]);
  });

  test("may be about to join, or to leave", async () => {
    const joins = { ...member("d3"), bootcNode: null };
    const leaves = member("e4", updated, { labels: {} });
    const ports = scene({ nodes: [joins, leaves], refuses: () => "no" });
    const answer = await stepNodes(ports, step);
    expect(answer.kind).toBe("held");
    expect(answer.reason).toMatch(/^e4: .* refuses: no; d3: joins, .* refuses: no$/);
    expect(degraded(ports)?.message).toMatch(/^Degraded nodes: d3 \(.*\), e4 \(.*\)$/);
  });

  test("remembers nothing, and holds up nobody who does", async () => {
    const ports = scene({
      nodes: [b1, member("c2", { ...staged, ...failing, error: null })],
      refuses: (node, kind) => (kind === "remember" && node === "b1" ? "no" : null),
    });
    await stepNodes(ports, step);
    expect(ports.nodePools.node("b1").bootcNode?.told).toBeNull();
    expect(ports.nodePools.node("c2").bootcNode?.told).toMatch(/^staged=/);
  });

  test("is not said to have recovered by a record that has tried nothing", async () => {
    const ports = scene({ nodes: [a0, c2], refuses: refusesToUncordon, maxUnavailable: 1, execution: null });
    const { nodePools } = ports;
    const message = "Degraded nodes: a0 (refused)";
    const was: NodePoolStatus["conditions"][number] = {
      type: "Degraded",
      status: "True",
      reason: "NodeDegraded",
      message,
    };
    const before = nodePools.pool("workers");
    nodePools.putPool({ ...before, status: { ...before.status, conditions: [was] } });
    await recordHere(ports).record({ name: "workers", uid: "pool-1" }, null);
    expect(degraded(ports)).toEqual(was);
  });
});

describe("a drain whose end is refused", () => {
  test("is told, and the other nodes are drained", async () => {
    const refuses: Refuses = (node, kind) => (node === "a0" && kind === "approve" ? "no reboots today" : null);
    const ports = scene({ nodes: [member("a0", slotted, cordoned), b1], refuses });
    ports.nodePools.putPods("a0", []);
    const { reason } = await drainNodes(ports, step);
    expect(reason).toBe("a0: the cluster refuses it: no reboots today; b1: 1 evicted");
  });
});

describe("a pod whose eviction is refused", () => {
  const kept = "shop/web: a PodDisruptionBudget keeps it";

  test("is named, in an Event too once the drain is slow, and that once", async () => {
    const of = pool({}, { execution: "roll-1" });
    const nodePools = { pools: [of], nodes: [b1], pods: { b1: [web] }, isKept: () => true };
    const ports = fakePorts({ nodePools });
    expect((await drainNodes(ports, step)).reason).toBe(`b1: 0 evicted, 1 not yet: ${kept}`);
    expect(ports.nodePools.events()).toEqual([]);
    ports.pass(300);
    await drainNodes(ports, step);
    await drainNodes(ports, step);
    expect(ports.nodePools.events()).toMatchObject([
      { about: "b1", type: "Warning", reason: "EvictionRefused", message: expect.stringContaining(kept) },
    ]);
  });
});

test("a thousand nodes, each with its own reason, make an answer of some kB", async () => {
  const nodes = Array.from({ length: 1000 }, (_, index) =>
    member(`n${index}`, { ...failing, error: `${index} ${"x".repeat(250)}` }),
  );
  const ports = scene({ nodes, refuses: () => null });
  const answer = await stepNodes(ports, step);
  expect(answer).toMatchObject({ kind: "held", reason: expect.stringMatching(/; 995 more$/) });
  expect(JSON.stringify(answer).length).toBeLessThan(4000);
});
