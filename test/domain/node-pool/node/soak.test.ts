import { expect, test } from "vitest";
import { bootRecordedAt, isComingBack, soakSecondsLeft } from "../../../../functions/domain/node-pool/node/soak.ts";
import type { KubeNode, Slot } from "../../../../functions/domain/node-pool/node/bootc-node.ts";
import { after, noon } from "../../../support/workloads.ts";
import { bootcNode, member, slot, updated } from "../pools.ts";

/** Approved 4 min before noon, and first seen on its image at noon. */
const booted: Slot = { ...slot, approvedAt: after(-4), bootedAt: noon };

test.for<{ when: string; slot: Slot | null; node?: Partial<KubeNode>; minutes: number; left: number }>([
  { when: "it has no slot", slot: null, minutes: 9, left: 60 },
  { when: "it was not seen on its image", slot, minutes: 9, left: 60 },
  { when: "it is seen on its image now", slot: booted, minutes: 0, left: 60 },
  { when: "it has run its image for 45 s", slot: booted, minutes: 0.75, left: 15 },
  { when: "it has run its image for 60 s", slot: booted, minutes: 1, left: 0 },
  { when: "it has run its image for an hour", slot: booted, minutes: 60, left: 0 },
  {
    when: "it stayed Ready during a soft reboot",
    slot: booted,
    node: { readyChangedAt: after(-999) },
    minutes: 0.5,
    left: 30,
  },
  { when: "it became Ready later", slot: booted, node: { readyChangedAt: after(2) }, minutes: 2.5, left: 30 },
  { when: "its clock is ahead", slot: booted, node: { readyChangedAt: after(9) }, minutes: 0.5, left: 30 },
  {
    when: "it was seen on its image before another reboot",
    slot: { ...booted, approvedAt: after(5) },
    minutes: 9,
    left: 60,
  },
  { when: "bootc-operator gave the slot", slot: { ...booted, approvedAt: null }, minutes: 0.5, left: 30 },
])("a node has to stay Ready for $left s if $when", ({ slot: at, node = {}, minutes, left }) => {
  expect(soakSecondsLeft(member("w", { ...updated, slot: at }, node), { minReadySeconds: 60 }, after(minutes))).toBe(
    left,
  );
});

test.for([
  { when: "it was not seen on its image", slot, minReadySeconds: 60, minutes: 9, expected: true },
  { when: "it was seen on its image 59 s ago", slot: booted, minReadySeconds: 60, minutes: 59 / 60, expected: true },
  { when: "it was seen on its image 60 s ago", slot: booted, minReadySeconds: 60, minutes: 1, expected: false },
  { when: "there is no soak", slot, minReadySeconds: 0, minutes: 0, expected: false },
  { when: "there is no soak, and it is seen now", slot: booted, minReadySeconds: 0, minutes: 0, expected: false },
])("may still become Ready if $when: $expected", ({ slot: at, minReadySeconds, minutes, expected }) => {
  expect(isComingBack({ ...bootcNode, slot: at }, { minReadySeconds }, after(minutes))).toBe(expected);
});

test.for([
  { approvedAt: null, bootedAt: null, expected: null },
  { approvedAt: null, bootedAt: noon, expected: noon },
  { approvedAt: noon, bootedAt: null, expected: null },
  { approvedAt: noon, bootedAt: noon, expected: noon },
  { approvedAt: after(1), bootedAt: noon, expected: null },
  { approvedAt: null, bootedAt: noon, requestedAt: null, expected: noon },
  { approvedAt: null, bootedAt: noon, requestedAt: after(1), expected: null },
])("approved at $approvedAt, booted at $bootedAt: $expected", ({ expected, requestedAt = noon, ...times }) => {
  expect(bootRecordedAt({ slot: { ...slot, ...times }, requestedAt })).toEqual(expected);
});
