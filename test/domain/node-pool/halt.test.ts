import { expect, test } from "vitest";
import { isHalted, unhealthyHolders } from "../../../functions/domain/node-pool/halt.ts";
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

const holding = { slot };
const timely = pool({ rebootTimeoutSeconds: 600 }).spec;

test.for([
  { when: "it runs the target with an error", of: { ...updated, ...failing, ...holding }, reason: "Degraded" },
  { when: "it names nothing that it runs", of: { ...failing, ...holding, bootedDigest: null }, reason: "Degraded" },
  { when: "it fails on the image before", of: { ...failing, ...holding, bootedDigest: digestA }, reason: null },
  { when: "it runs the target and is not Ready", of: { ...updated, ...holding }, ready: false, reason: "NotReady" },
  { when: "it runs the target and is Ready", of: { ...updated, ...holding }, reason: null },
  {
    when: "it runs the target, is not Ready, and was asked for another image in between",
    of: { ...updated, ...holding, desiredImage: imageC },
    ready: false,
    reason: "NotReady",
  },
  {
    when: "it runs another image that it was asked for, and is not Ready",
    of: { ...holding, bootedDigest: digestC, desiredImage: imageC },
    ready: false,
    reason: null,
  },
  { when: "it fails without a slot", of: { ...updated, ...failing }, reason: null },
  { when: "it is draining, not Ready", of: slotted, ready: false, reason: null },
  { when: "it reboots", of: rebooting, minutes: 9, ready: false, reason: null },
  { when: "it reboots for too long", of: rebooting, minutes: 11, ready: false, reason: "RebootOverdue" },
  { when: "it was told to reboot and does not", of: approved, minutes: 11, reason: "RebootOverdue" },
])("unhealthy where $when: $reason", ({ of, ready = true, minutes = 0, reason }) => {
  const now = minutes === 0 ? noon : after(minutes);
  expect(unhealthyHolders([member("w", of, { ready })], imageB, timely, now)).toEqual(
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
  expect(isHalted({ ...timely, haltThreshold: threshold }, unhealthy, 11)).toBe(halted);
});
