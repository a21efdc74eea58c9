import { expect, test } from "vitest";
import { timeoutStatus } from "../../../../functions/domain/node-pool/halt/timeouts.ts";
import type { BootcNode, KubeNode } from "../../../../functions/domain/node-pool/node/bootc-node.ts";
import type { NodePoolSpec } from "../../../../functions/domain/node-pool/pool/node-pool.ts";
import { parseSpec } from "../../../../functions/domain/node-pool/pool/spec.ts";
import { after, noon } from "../../../support/workloads.ts";
import { failing, member, pool, rebooting, slot, updated } from "../pools.ts";

/** Approved at noon, seen on its image 4 min later. It has 18 min: 15 for its reboot, and three soaks. */
const back: Partial<BootcNode> = {
  ...updated,
  desiredImageState: "Booted",
  slot: { ...slot, approvedAt: noon, bootedAt: after(4) },
};
const { analysis } = parseSpec({
  analysis: { metrics: [{ name: "errors", query: "errors", failureCondition: "result > 0" }] },
}).spec;
const noTimeout = { rebootTimeoutSeconds: null };
const byOther = { ...back, slot: { ...slot, bootedAt: after(4) } };
const overdue = "slot not released after 1080 s";
const notBack = "not back on its new image and Ready after 900 s";

test.for<{
  when: string;
  bootc?: Partial<BootcNode>;
  node?: Partial<KubeNode>;
  spec?: Partial<NodePoolSpec>;
  minutes?: number;
  reason: string | null;
}>([
  { when: "became Ready before that", reason: null },
  { when: "became Ready a soak before its deadline", node: { readyChangedAt: after(17) }, reason: notBack },
  { when: "became Ready later", node: { readyChangedAt: after(17.1) }, reason: overdue },
  { when: "flaps, before its deadline", node: { readyChangedAt: after(17.9) }, minutes: 18, reason: notBack },
  { when: "flaps, before its reboot timeout", node: { readyChangedAt: after(14) }, minutes: 15, reason: null },
  { when: "flaps, and is Ready", node: { readyChangedAt: after(19) }, reason: overdue },
  { when: "flaps, and is not Ready", node: { readyChangedAt: after(19), ready: false }, reason: overdue },
  { when: "is dead since before", node: { readyChangedAt: after(5), ready: false }, reason: notBack },
  { when: "has a clock that is ahead", node: { readyChangedAt: after(21) }, reason: null },
  { when: "has an unknown time of Ready", node: { readyChangedAt: null }, reason: null },
  { when: "has an agent that still reboots it", bootc: { ...back, idle: { activity: "Rebooting" } }, reason: overdue },
  { when: "only waits for its metrics", spec: { analysis }, node: { readyChangedAt: after(18.5) }, reason: null },
  {
    when: "flaps in its soak, and is measured",
    spec: { analysis },
    node: { readyChangedAt: after(19.5) },
    reason: overdue,
  },
  {
    when: "is measured, and its agent still reboots it",
    spec: { analysis },
    bootc: { ...back, idle: { activity: "Rebooting" } },
    reason: overdue,
  },
  { when: "reports an error", bootc: { ...back, ...failing }, node: { readyChangedAt: after(19) }, reason: null },
  { when: "has no slot", bootc: updated, node: { readyChangedAt: after(19) }, reason: null },
  { when: "is not back", bootc: rebooting, node: { readyChangedAt: after(19) }, reason: notBack },
  { when: "has a longer soak", spec: { minReadySeconds: 300 }, node: { readyChangedAt: after(19) }, reason: notBack },
  { when: "got its slot from another operator", bootc: byOther, node: { readyChangedAt: after(19) }, reason: null },
  {
    when: "got its slot from another operator, and flaps",
    bootc: byOther,
    node: { readyChangedAt: after(21.5) },
    minutes: 23,
    reason: overdue,
  },
  { when: "has no timeout", spec: noTimeout, node: { readyChangedAt: after(19) }, reason: null },
  { when: "has no timeout", spec: noTimeout, node: { readyChangedAt: after(21.5) }, minutes: 23, reason: overdue },
  {
    when: "has no timeout, and its image was requested again since",
    spec: noTimeout,
    bootc: { ...back, requestedAt: after(8) },
    node: { readyChangedAt: after(21.5) },
    minutes: 23,
    reason: null,
  },
  { when: "has no timeout, and is dead", spec: noTimeout, node: { ready: false }, minutes: 23, reason: overdue },
  { when: "has no timeout, and stays Ready", spec: noTimeout, minutes: 23, reason: null },
  { when: "has no timeout, and is not back", spec: noTimeout, bootc: rebooting, minutes: 999, reason: null },
])(
  "a slot holder that $when, after $minutes min: $reason",
  ({ bootc = back, node, spec = {}, minutes = 20, reason }) => {
    const holder = member("w", bootc, { readyChangedAt: after(4), ...node });
    expect(timeoutStatus(holder, pool(spec).spec, after(minutes))?.reason ?? null).toBe(reason);
  },
);
