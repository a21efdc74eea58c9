import { expect, test } from "vitest";
import { stepsOf } from "../../../functions/domain/node-pool/settled.ts";
import type { Member, NodePoolSpec, PoolNode } from "../../../functions/domain/node-pool/types.ts";
import { waitSecondsOf } from "../../../functions/domain/node-pool/wait-seconds.ts";
import { after } from "../../support/workloads.ts";
import { command } from "./agent/hosts.ts";
import { cordoned, fresh, member, pool, rebooting, slot, slotted, staged, staging, tick, updated } from "./pools.ts";

const twice: Partial<NodePoolSpec> = { maxUnavailable: { unit: "nodes", amount: 2 } };
const done = member("a", updated);
const drained = member("b", slotted, cordoned);
const queued = member("w", staged);

function waitAfter(minutes: number, nodes: readonly PoolNode[], spec: Partial<NodePoolSpec> = {}): number {
  const looked = tick(nodes, { pool: pool(spec), now: after(minutes) });
  return waitSecondsOf(stepsOf(looked), looked);
}

test.for<{ when: string; nodes: readonly PoolNode[]; spec?: Partial<NodePoolSpec>; seconds: number }>([
  { when: "nothing is left to do", nodes: [], seconds: 300 },
  { when: "every node is up to date", nodes: [done, member("b", updated)], seconds: 60 },
  { when: "a node stages", nodes: [member("b", staging), queued], spec: { paused: true }, seconds: 30 },
  { when: "a node reboots", nodes: [member("b", rebooting, cordoned), queued], seconds: 15 },
  { when: "a node reboots and others are done", nodes: [done, member("b", rebooting, cordoned)], seconds: 15 },
  {
    when: "a node is drained while another reboots",
    nodes: [drained, member("c", rebooting)],
    spec: twice,
    seconds: 5,
  },
  { when: "a write came too late", nodes: [drained, fresh("c")], spec: twice, seconds: 2 },
])("the next look is in $seconds s where $when", ({ nodes, spec = {}, seconds }) => {
  expect(waitAfter(1, nodes, spec)).toBe(seconds);
});

/** Approved, and back on its new image but not Ready. */
const unready: Partial<Member["node"]> = { ...cordoned, ready: false };
const back = { ...updated, slot: { ...slot, approvedAt: after(0) } };

test.for([
  { minutes: 0, seconds: 15 },
  { minutes: 4, seconds: 15 },
  { minutes: 10, seconds: 15 },
  { minutes: 10.25, seconds: 30 },
  { minutes: 10.752, seconds: 60 },
  { minutes: 12, seconds: 135 },
  { minutes: 14.75, seconds: 300 },
  { minutes: 60, seconds: 300 },
])("a node whose reboot was approved $minutes min ago is looked at in $seconds s", ({ minutes, seconds }) => {
  expect(waitAfter(minutes, [done, member("b", rebooting, cordoned), queued])).toBe(seconds);
  expect(waitAfter(minutes, [done, member("b", back, unready), queued])).toBe(seconds);
});

test.for<{ when: string; of: Member; minutes?: number; seconds: number }>([
  {
    when: "it was approved just now in a slot that it has held for an hour",
    of: member("b", { ...rebooting, slot: { ...slot, approvedAt: after(59) } }, cordoned),
    seconds: 15,
  },
  {
    when: "it was asked for another image just now",
    of: member("b", { ...staging, slot, askedAt: after(59) }, cordoned),
    seconds: 15,
  },
  {
    when: "it is not known since when it is awaited",
    of: member("b", { ...back, askedAt: null, slot: { ...slot, takenAt: null } }, unready),
    seconds: 300,
  },
  {
    when: "it has no daemon and a command was sent just now",
    of: member("b", { ...rebooting, command: command({ kind: "apply", at: after(59) }) }, cordoned),
    seconds: 15,
  },
  { when: "it is being drained", of: drained, seconds: 5 },
])("an hour later the next look is in $seconds s where $when", ({ of, seconds }) => {
  expect(waitAfter(60, [done, of, queued])).toBe(seconds);
});

test("a node that is awaited for long does not keep others waiting", () => {
  const young = member("c", { ...rebooting, slot: { ...slot, approvedAt: after(58) } }, cordoned);
  expect(waitAfter(60, [member("b", rebooting, cordoned), young], twice)).toBe(15);
});

test.for([
  { when: "it has just been asked", minutes: 1, of: { error: "stage failed" }, seconds: 60 },
  { when: "it was asked long ago", minutes: 60, of: { error: "stage failed" }, seconds: 300 },
  { when: "it was asked for another image just now", minutes: 60, of: { error: "x", askedAt: after(59) }, seconds: 60 },
])("a node that failed is seen to again in $seconds s where $when", ({ minutes, of, seconds }) => {
  expect(waitAfter(minutes, [done, member("b", of)])).toBe(seconds);
});
