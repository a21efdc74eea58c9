import { expect, test } from "vitest";
import { timeoutStatus } from "../../../../functions/domain/node-pool/halt/timeouts.ts";
import type { BootcNode, KubeNode } from "../../../../functions/domain/node-pool/node/bootc-node.ts";
import type { NodePoolSpec } from "../../../../functions/domain/node-pool/pool/node-pool.ts";
import { after, noon } from "../../../support/workloads.ts";
import { approved, failing, member, pool, rebooting, slot, slotted, staged, staging, updated } from "../pools.ts";

const timeouts = {
  analysis: null,
  stagingTimeoutSeconds: 600,
  drainTimeoutSeconds: 1200,
  rebootTimeoutSeconds: 1800,
  minReadySeconds: 60,
};

test.for([
  { when: "staging", bootc: staging, minutes: 10, kind: null },
  { when: "staging", bootc: staging, minutes: 11, kind: "staging" },
  { when: "pending", bootc: {}, minutes: 11, kind: "staging" },
  { when: "pending, from an unknown start", bootc: { requestedAt: null }, minutes: 999, kind: null },
  { when: "staging again in its slot", bootc: { ...staging, slot }, minutes: 11, kind: "staging" },
  { when: "staged without a slot", bootc: staged, minutes: 999, kind: null },
  { when: "draining", bootc: slotted, minutes: 20, kind: null },
  { when: "draining", bootc: slotted, minutes: 21, kind: "draining" },
  { when: "reboot approved", bootc: approved, minutes: 31, kind: "rebooting" },
  { when: "rebooting", bootc: rebooting, minutes: 30, kind: null },
  { when: "rebooting", bootc: rebooting, minutes: 31, kind: "rebooting" },
  { when: "back on the previous image, pending", bootc: { ...approved, idle: null }, minutes: 31, kind: "rebooting" },
  {
    when: "rebooting by itself",
    bootc: { ...rebooting, desiredImageState: "Staged" as const },
    minutes: 999,
    kind: null,
  },
  { when: "reboot approved by another operator", bootc: { ...approved, slot }, minutes: 999, kind: null },
  { when: "back on its new image", bootc: { ...rebooting, ...updated }, minutes: 33, kind: null },
  { when: "back, and its agent is never done", bootc: { ...rebooting, ...updated }, minutes: 34, kind: "slot" },
  { when: "back, and not Ready", bootc: { ...rebooting, ...updated }, ready: false, minutes: 31, kind: "rebooting" },
  { when: "up to date, and not Ready", bootc: updated, ready: false, minutes: 999, kind: null },
  { when: "degraded", bootc: { ...rebooting, ...failing }, minutes: 999, kind: null },
])("$when, after $minutes min, ready $ready: $kind", ({ bootc, ready = true, minutes, kind }) => {
  const timeout = timeoutStatus(member("w", bootc, { ready }), timeouts, after(minutes));
  expect(timeout?.kind ?? null).toBe(kind);
});

test("a drain that is overdue says what blocks it", () => {
  const blocked = member("w", { ...slotted, drainBlockedBy: "shop/web: the budget needs 1" });
  expect(timeoutStatus(blocked, timeouts, after(21))?.reason).toBe(
    "not drained after 1200 s: shop/web: the budget needs 1",
  );
});

test.for([
  { minutes: 15, kinds: [undefined, undefined, undefined] },
  { minutes: 16, kinds: [undefined, "draining", "rebooting"] },
  { minutes: 60, kinds: [undefined, "draining", "rebooting"] },
  { minutes: 61, kinds: ["staging", "draining", "rebooting"] },
])("by default a drain, a reboot and staging are overdue after 15 and 60 min: $minutes", ({ minutes, kinds }) => {
  const { spec } = pool();
  const overdue = [staging, slotted, rebooting].map((bootc) => timeoutStatus(member("w", bootc), spec, after(minutes)));
  expect(overdue.map((one) => one?.kind)).toEqual(kinds);
});

/** Not Ready since noon. Its slot is older. */
const dead = { slot: { ...slot, acquiredAt: after(-30) } };

test.for<{
  when: string;
  bootc: Partial<BootcNode>;
  minutes: number;
  node?: Partial<KubeNode>;
  spec?: Partial<NodePoolSpec>;
  reason: string | undefined;
}>([
  { when: "it died on the image before the target", bootc: { ...staging, ...dead }, minutes: 16, reason: "900" },
  { when: "it reports an error as well", bootc: { ...staging, ...failing, ...dead }, minutes: 16, reason: undefined },
  { when: "it died while it was drained", bootc: { ...staged, ...dead }, minutes: 16, reason: "900" },
  { when: "it died on the target of a cancelled rollout", bootc: { ...updated, ...dead }, minutes: 16, reason: "900" },
  { when: "it is not Ready for 15 min", bootc: { ...staging, ...dead }, minutes: 15, reason: undefined },
  { when: "it is Ready", bootc: { ...staging, ...dead }, node: { ready: true }, minutes: 16, reason: undefined },
  { when: "it holds no slot", bootc: staging, minutes: 16, reason: undefined },
  {
    when: "it has no Ready condition",
    bootc: { ...staging, ...dead },
    node: { readyChangedAt: null },
    minutes: 0,
    reason: "900",
  },
  {
    when: "the reboot timeout is longer",
    bootc: { ...staging, ...dead },
    spec: { rebootTimeoutSeconds: 1800 },
    minutes: 31,
    reason: "1800",
  },
])("a slot holder that is not Ready, if $when, after $minutes min: $reason", (one) => {
  const { bootc, node = {}, spec = {}, minutes, reason } = one;
  const holder = member("w", bootc, { ready: false, readyChangedAt: noon, ...node });
  expect(timeoutStatus(holder, pool(spec).spec, after(minutes))?.reason).toBe(
    reason === undefined ? undefined : `not Ready for ${reason} s`,
  );
});
