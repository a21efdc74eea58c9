import { expect, test } from "vitest";
import { stuckness } from "../../../functions/domain/node-pool/stuck.ts";
import { after } from "../../support/workloads.ts";
import { approved, failing, member, pool, rebooting, slot, slotted, staged, staging, updated } from "./pools.ts";

const timeouts = { stagingTimeoutSeconds: 600, drainTimeoutSeconds: 1200, rebootTimeoutSeconds: 1800 };

test.for([
  { when: "staging", of: staging, minutes: 10, kind: null },
  { when: "staging", of: staging, minutes: 11, kind: "staging" },
  { when: "pending", of: {}, minutes: 11, kind: "staging" },
  { when: "pending, nobody knows since when", of: { askedAt: null }, minutes: 999, kind: null },
  { when: "staging anew in its slot", of: { ...staging, slot }, minutes: 11, kind: "staging" },
  { when: "staged without a slot", of: staged, minutes: 999, kind: null },
  { when: "draining", of: slotted, minutes: 20, kind: null },
  { when: "draining", of: slotted, minutes: 21, kind: "draining" },
  { when: "told to reboot", of: approved, minutes: 31, kind: "rebooting" },
  { when: "rebooting", of: rebooting, minutes: 30, kind: null },
  { when: "rebooting", of: rebooting, minutes: 31, kind: "rebooting" },
  { when: "back on the image before, pending", of: { ...approved, idle: null }, minutes: 31, kind: "rebooting" },
  { when: "rebooting by itself", of: { ...rebooting, desiredImageState: "Staged" as const }, minutes: 999, kind: null },
  { when: "told to reboot by another operator", of: { ...approved, slot }, minutes: 999, kind: null },
  { when: "back on its new image", of: { ...rebooting, ...updated }, minutes: 999, kind: null },
  { when: "back, and not Ready", of: { ...rebooting, ...updated }, ready: false, minutes: 31, kind: "rebooting" },
  { when: "up to date, and not Ready", of: updated, ready: false, minutes: 999, kind: null },
  { when: "degraded", of: { ...rebooting, ...failing }, minutes: 999, kind: null },
])("$when, after $minutes min, ready $ready: $kind", ({ of, ready = true, minutes, kind }) => {
  const stuck = stuckness(member("w", of, { ready }), timeouts, after(minutes));
  expect(stuck?.kind ?? null).toBe(kind);
});

test("without limits nothing is ever late", () => {
  for (const of of [staging, slotted, rebooting])
    expect(stuckness(member("w", of), pool().spec, after(9999))).toBeNull();
});
