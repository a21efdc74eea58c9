import { expect, test } from "vitest";
import { isHalted, findUnhealthySlotHolders } from "../../../../functions/domain/node-pool/halt/halt.ts";
import { parseSpec } from "../../../../functions/domain/node-pool/pool/spec.ts";
import { after, noon } from "../../../support/workloads.ts";
import {
  approved,
  cordoned,
  digestA,
  digestB,
  failing,
  imageB,
  imageC,
  member,
  pool,
  rawSpec,
  rebooting,
  slot,
  slotted,
  updated,
} from "../pools.ts";

const withSlot = { slot };
/** First seen on its new image at noon. */
const booted = { ...updated, slot: { ...slot, approvedAt: after(-4), bootedAt: noon } };
const failedReboot = { ...approved, ...failing };
const retry = { id: "c-1", kind: "stage", image: imageB, at: noon, attempts: 1 } as const;
/** Runs its new image, and its agent reports no more. */
const neverDone = { ...rebooting, bootedDigest: digestB };
const withTimeout = pool({ rebootTimeoutSeconds: 600 }).spec;

test.for([
  { when: "it runs the target with an error", bootc: { ...updated, ...failing, ...withSlot }, reason: "Degraded" },
  { when: "its booted image is unknown", bootc: { ...failing, ...withSlot, bootedDigest: null }, reason: "Degraded" },
  { when: "it fails on the previous image", bootc: { ...failing, ...withSlot, bootedDigest: digestA }, reason: null },
  { when: "it runs the target and is not Ready", bootc: booted, ready: false, minutes: 1, reason: "NotReady" },
  { when: "it runs the target for the first time", bootc: { ...updated, ...withSlot }, ready: false, reason: null },
  {
    when: "it runs the target, its agent was never seen done, and it exceeds the reboot timeout",
    bootc: neverDone,
    ready: false,
    minutes: 11,
    reason: "RebootOverdue",
  },
  {
    when: "it runs the target, and exceeds the timeout of a reboot to another image",
    bootc: { ...neverDone, desiredImage: imageC },
    minutes: 11,
    ready: false,
    reason: null,
  },
  {
    when: "it runs the target again after another reboot",
    bootc: { ...updated, slot: { ...slot, approvedAt: after(2), bootedAt: noon } },
    ready: false,
    minutes: 5,
    reason: null,
  },
  {
    when: "it runs the target, is not Ready, and was cordoned without a slot",
    bootc: updated,
    node: { ...cordoned, ready: false },
    reason: "NotReady",
  },
  { when: "it runs the target and is Ready", bootc: { ...updated, ...withSlot }, reason: null },
  { when: "it fails on the previous image after its reboot was approved", bootc: failedReboot, reason: "RebootFailed" },
  {
    when: "its agent tries again after a failed reboot",
    bootc: { ...approved, command: retry },
    reason: "RebootFailed",
  },
  { when: "its first reboot is tried", bootc: { ...approved, command: { ...retry, attempts: 0 } }, reason: null },
  { when: "it fails to stage before its reboot", bootc: { ...slotted, command: retry }, reason: null },
  { when: "it has booted the target at last", bootc: { ...booted, command: retry }, reason: null },
  { when: "it failed to boot an earlier image", bootc: { ...failedReboot, desiredImage: imageC }, reason: null },
  { when: "it fails without a slot", bootc: { ...updated, ...failing }, reason: null },
  { when: "it is draining, not Ready", bootc: slotted, ready: false, reason: null },
  { when: "it is rebooting", bootc: rebooting, minutes: 9, ready: false, reason: null },
  { when: "it exceeds the reboot timeout", bootc: rebooting, minutes: 11, ready: false, reason: "RebootOverdue" },
  { when: "its reboot was approved and it does not reboot", bootc: approved, minutes: 11, reason: "RebootOverdue" },
])("unhealthy if $when: $reason", ({ bootc, ready = true, node = { ready }, minutes = 0, reason }) => {
  expect(findUnhealthySlotHolders([member("w", bootc, node)], imageB, withTimeout, after(minutes))).toEqual(
    reason === null ? [] : [{ name: "w", reason }],
  );
});

test.for([
  { when: "is done", bootc: {}, reason: "NotReady" },
  { when: "has not observed the request", bootc: { isObserved: false } },
])("without minReadySeconds a node that is not Ready, and whose agent $when, is unhealthy: $reason", (one) => {
  const { bootc, reason } = one;
  const { spec } = pool({ minReadySeconds: 0 });
  const node = member("w", { ...updated, ...withSlot, ...bootc }, { ready: false });
  const unhealthy = findUnhealthySlotHolders([node], imageB, spec, noon);
  expect(unhealthy).toEqual(reason === undefined ? [] : [{ name: "w", reason }]);
});

test.for([
  { threshold: { unit: "nodes", amount: 2 } as const, unhealthy: 1, halted: false },
  { threshold: { unit: "nodes", amount: 2 } as const, unhealthy: 2, halted: true },
  { threshold: { unit: "nodes", amount: 1 } as const, unhealthy: 1, halted: true },
  { threshold: { unit: "percent", amount: 30 } as const, unhealthy: 3, halted: false },
  { threshold: { unit: "percent", amount: 30 } as const, unhealthy: 4, halted: true },
  { threshold: { unit: "percent", amount: 1 } as const, unhealthy: 0, halted: false },
])("$threshold.amount $threshold.unit of 11 with $unhealthy unhealthy: $halted", ({ threshold, unhealthy, halted }) => {
  const maxUnavailable = { unit: "nodes", amount: 5 } as const;
  expect(isHalted({ ...withTimeout, maxUnavailable, haltThreshold: threshold }, unhealthy, 11, 0)).toBe(halted);
});

test.for([
  { max: 1, unhealthy: 1, halted: true },
  { max: "10%", unhealthy: 1, halted: true },
  { max: "20%", unhealthy: 1, halted: false },
  { max: "20%", unhealthy: 2, halted: true },
  { max: 3, unhealthy: 1, halted: false },
  { max: 0, unhealthy: 0, halted: false },
  { max: 0, unhealthy: 1, halted: true },
  { max: 1, paused: true, unhealthy: 1, halted: true },
  { max: 3, of: 1, unhealthy: 1, halted: true },
  { max: 3, of: 2, unhealthy: 1, halted: false },
])(
  "the default threshold is at most the slots: maxUnavailable $max of $of, $unhealthy unhealthy: $halted",
  ({ max, of = 10, paused = false, unhealthy, halted }) => {
    const { spec } = parseSpec({ ...rawSpec, rollout: { maxUnavailable: max, paused } });
    expect(isHalted(spec, unhealthy, of, 0)).toBe(halted);
  },
);
