import { expect, test } from "vitest";
import { isHalted, findUnhealthySlotHolders } from "../../../functions/domain/node-pool/halt.ts";
import { after, noon } from "../../support/workloads.ts";
import {
  approved,
  digestA,
  digestC,
  failing,
  imageB,
  imageC,
  member,
  pool,
  rebooting,
  slot,
  slotted,
  updated,
} from "./pools.ts";

const withSlot = { slot };
const withTimeout = pool({ rebootTimeoutSeconds: 600 }).spec;

test.for([
  { when: "it runs the target with an error", bootc: { ...updated, ...failing, ...withSlot }, reason: "Degraded" },
  { when: "its booted image is unknown", bootc: { ...failing, ...withSlot, bootedDigest: null }, reason: "Degraded" },
  { when: "it fails on the previous image", bootc: { ...failing, ...withSlot, bootedDigest: digestA }, reason: null },
  { when: "it runs the target and is not Ready", bootc: { ...updated, ...withSlot }, ready: false, reason: "NotReady" },
  { when: "it runs the target and is Ready", bootc: { ...updated, ...withSlot }, reason: null },
  {
    when: "it runs the target, is not Ready, and another image was requested in between",
    bootc: { ...updated, ...withSlot, desiredImage: imageC },
    ready: false,
    reason: "NotReady",
  },
  {
    when: "it runs another desired image, and is not Ready",
    bootc: { ...withSlot, bootedDigest: digestC, desiredImage: imageC },
    ready: false,
    reason: null,
  },
  { when: "it fails without a slot", bootc: { ...updated, ...failing }, reason: null },
  { when: "it is draining, not Ready", bootc: slotted, ready: false, reason: null },
  { when: "it is rebooting", bootc: rebooting, minutes: 9, ready: false, reason: null },
  { when: "it exceeds the reboot timeout", bootc: rebooting, minutes: 11, ready: false, reason: "RebootOverdue" },
  { when: "its reboot was approved and it does not reboot", bootc: approved, minutes: 11, reason: "RebootOverdue" },
])("unhealthy if $when: $reason", ({ bootc, ready = true, minutes = 0, reason }) => {
  const now = minutes === 0 ? noon : after(minutes);
  expect(findUnhealthySlotHolders([member("w", bootc, { ready })], imageB, withTimeout, now)).toEqual(
    reason === null ? [] : [{ name: "w", reason }],
  );
});

test.for([
  { threshold: { unit: "nodes", amount: 2 } as const, unhealthy: 1, halted: false },
  { threshold: { unit: "nodes", amount: 2 } as const, unhealthy: 2, halted: true },
  { threshold: { unit: "nodes", amount: 1 } as const, unhealthy: 1, halted: true },
  { threshold: { unit: "percent", amount: 30 } as const, unhealthy: 3, halted: false },
  { threshold: { unit: "percent", amount: 30 } as const, unhealthy: 4, halted: true },
  { threshold: { unit: "percent", amount: 1 } as const, unhealthy: 0, halted: false },
])("$threshold.amount $threshold.unit of 11 with $unhealthy unhealthy: $halted", ({ threshold, unhealthy, halted }) => {
  expect(isHalted({ ...withTimeout, haltThreshold: threshold }, unhealthy, 11)).toBe(halted);
});
