import { expect, test } from "vitest";
import { planSteps } from "../../../../functions/domain/node-pool/step/plan-steps.ts";
import type { Member, PoolNode } from "../../../../functions/domain/node-pool/node/bootc-node.ts";
import type { NodePoolSpec } from "../../../../functions/domain/node-pool/pool/node-pool.ts";
import { computeWaitSeconds } from "../../../../functions/domain/node-pool/step/wait-time.ts";
import { after } from "../../../support/workloads.ts";
import { command } from "../agent/hosts.ts";
import {
  cordoned,
  unmanagedNode,
  member,
  pool,
  rebooting,
  slot,
  slotted,
  staged,
  staging,
  poolState,
  updated,
} from "../pools.ts";

const maxUnavailable2: Partial<NodePoolSpec> = { maxUnavailable: { unit: "nodes", amount: 2 } };
const done = member("a", updated);
const drained = member("b", slotted, cordoned);
const queued = member("w", staged);

function waitAfter(minutes: number, nodes: readonly PoolNode[], spec: Partial<NodePoolSpec> = {}): number {
  const state = poolState(nodes, { pool: pool(spec), now: after(minutes) });
  return computeWaitSeconds(planSteps(state), state);
}

test.for<{ when: string; nodes: readonly PoolNode[]; spec?: Partial<NodePoolSpec>; seconds: number }>([
  { when: "nothing is left to do", nodes: [], seconds: 300 },
  { when: "every node is up to date", nodes: [done, member("b", updated)], seconds: 60 },
  { when: "a node stages", nodes: [member("b", staging), queued], spec: { paused: true }, seconds: 30 },
  { when: "a node reboots", nodes: [member("b", rebooting, cordoned), queued], seconds: 15 },
  { when: "a node reboots and others are done", nodes: [done, member("b", rebooting, cordoned)], seconds: 15 },
  { when: "a write lost a conflict", nodes: [drained, unmanagedNode("c")], spec: maxUnavailable2, seconds: 2 },
])("the next check is in $seconds s if $when", ({ nodes, spec = {}, seconds }) => {
  expect(waitAfter(1, nodes, spec)).toBe(seconds);
});

/** Approved, and back on its new image but not Ready. */
const notReady: Partial<Member["node"]> = { ...cordoned, ready: false };
const rebootedRecently = { ...updated, slot: { ...slot, approvedAt: after(0), bootedAt: after(0) } };
const noTimeout: Partial<NodePoolSpec> = { rebootTimeoutSeconds: null };

test.for([
  { minutes: 0, seconds: 15 },
  { minutes: 4, seconds: 15 },
  { minutes: 10, seconds: 15 },
  { minutes: 10.25, seconds: 30 },
  { minutes: 10.752, seconds: 60 },
  { minutes: 12, seconds: 135 },
  { minutes: 14.75, seconds: 300 },
  { minutes: 60, seconds: 300 },
])("a node whose reboot was approved $minutes min ago is checked in $seconds s", ({ minutes, seconds }) => {
  expect(waitAfter(minutes, [done, member("b", rebooting, cordoned), queued], noTimeout)).toBe(seconds);
  expect(waitAfter(minutes, [done, member("b", rebootedRecently, notReady), queued], noTimeout)).toBe(seconds);
});

test.for([
  { when: "has just booted", minutes: 0, spec: {}, seconds: 60 },
  { when: "has stayed Ready for 45 s", minutes: 0.75, spec: {}, seconds: 15 },
  { when: "has stayed Ready for 59.5 s", minutes: 59.5 / 60, spec: {}, seconds: 1 },
  { when: "has to stay Ready for an hour", minutes: 1, spec: { minReadySeconds: 3600 }, seconds: 60 },
])("a node that $when is checked in $seconds s", ({ minutes, spec, seconds }) => {
  expect(waitAfter(minutes, [done, member("b", rebootedRecently), queued], spec)).toBe(seconds);
});

test.for<{ when: string; node: Member; minutes?: number; seconds: number }>([
  {
    when: "it has no daemon and a command was sent just now",
    node: member("b", { ...rebooting, command: command({ kind: "apply", at: after(59) }) }, cordoned),
    seconds: 15,
  },
  { when: "it is being drained", node: drained, seconds: 300 },
  { when: "it stages", node: member("b", { ...staging, slot }, cordoned), seconds: 300 },
])("an hour later the next check is in $seconds s if $when", ({ node, seconds }) => {
  expect(waitAfter(60, [done, node, queued], noTimeout)).toBe(seconds);
});

test("a drain that took too long before is checked in 150 s", () => {
  const givenBack = { count: 1, at: after(0) };
  const again = member("b", { ...slotted, givenBack, slot: { ...slot, acquiredAt: after(60) } }, cordoned);
  expect(waitAfter(61, [done, again])).toBe(150);
});

test("an overdue node does not delay others", () => {
  const young = member("c", { ...rebooting, slot: { ...slot, approvedAt: after(58) } }, cordoned);
  expect(waitAfter(60, [member("b", rebooting, cordoned), young], maxUnavailable2)).toBe(15);
});

test.for([
  { minutes: 1, seconds: 5 },
  { minutes: 5, seconds: 25 },
  { minutes: 15, seconds: 75 },
  { minutes: 120, seconds: 600 },
  { minutes: 9999, seconds: 600 },
])("a drain of $minutes min is checked in $seconds s", ({ minutes, seconds }) => {
  expect(waitAfter(minutes, [done, drained, queued])).toBe(seconds);
});

test("a drain that is blocked for three days costs at most 60 transitions an hour after its second hour", () => {
  const transitionsPerRound = 6;
  const perHour = new Map<number, number>();
  for (let seconds = 0; seconds < 72 * 3600; seconds += waitAfter(seconds / 60, [done, drained, queued])) {
    const hour = Math.floor(seconds / 3600);
    perHour.set(hour, (perHour.get(hour) ?? 0) + transitionsPerRound);
  }
  const [first = 0, second = 0, ...later] = perHour.values();
  expect(first).toBeLessThan(600);
  expect(second).toBeLessThan(80);
  expect(Math.max(...later)).toBeLessThanOrEqual(60);
});
