import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  canaryReplicas,
  describeSize,
  noStableReason,
  parseCanarySize,
  partitionFor,
  canaryUnavailableReason,
} from "../../../../functions/domain/workload/canary/size.ts";
import type { CanarySize } from "../../../../functions/domain/workload/canary/canary-size.ts";
import { completeRollout } from "../../../support/workloads.ts";

describe("a valid size", () => {
  test.for([
    { text: "1", size: { unit: "replicas", amount: 1 } },
    { text: "2", size: { unit: "replicas", amount: 2 } },
    { text: " 3 ", size: { unit: "replicas", amount: 3 } },
    { text: "007", size: { unit: "replicas", amount: 7 } },
    { text: "99999", size: { unit: "replicas", amount: 99_999 } },
    { text: "1%", size: { unit: "percent", amount: 1 } },
    { text: "25%", size: { unit: "percent", amount: 25 } },
    { text: "99%", size: { unit: "percent", amount: 99 } },
  ])("$text", ({ text, size }) => {
    expect(parseCanarySize(text)).toEqual(size);
    expect(parseCanarySize(describeSize(size as CanarySize))).toEqual(size);
  });
});

describe("an invalid size", () => {
  test.for([
    { text: "0", message: "must be 1 or more" },
    { text: "0%", message: "must be 1 or more" },
    { text: "100%", message: "at most 99%" },
    { text: "250%", message: "at most 99%" },
    { text: "x", message: "neither a number of replicas" },
    { text: "", message: "neither a number of replicas" },
    { text: "%", message: "neither a number of replicas" },
    { text: "-1", message: "neither a number of replicas" },
    { text: "1.5", message: "neither a number of replicas" },
    { text: "25 %", message: "neither a number of replicas" },
    { text: "25%%", message: "neither a number of replicas" },
    { text: "1e2", message: "neither a number of replicas" },
    { text: "100000", message: "neither a number of replicas" },
  ])('"$text"', ({ text, message }) => {
    expect(parseCanarySize(text)).toMatchObject({ kind: "invalid", reason: expect.stringContaining(message) });
  });
});

const replicas = (amount: number): CanarySize => ({ unit: "replicas", amount });
const percent = (amount: number): CanarySize => ({ unit: "percent", amount });

test.for([
  { size: replicas(1), desired: 3, canary: 1 },
  { size: replicas(3), desired: 3, canary: 3 },
  { size: replicas(4), desired: 3, canary: 3 },
  { size: percent(25), desired: 4, canary: 1 },
  { size: percent(25), desired: 5, canary: 2 },
  { size: percent(1), desired: 3, canary: 1 },
  { size: percent(99), desired: 3, canary: 3 },
  { size: percent(10), desired: 1, canary: 1 },
  { size: percent(10), desired: 100, canary: 10 },
  { size: percent(50), desired: 0, canary: 0 },
])("$size.amount $size.unit of $desired replicas are $canary", ({ size, desired, canary }) => {
  expect(canaryReplicas(size, desired)).toBe(canary);
});

test("any valid size is at least one replica and at most all of them", () => {
  const text = fc.oneof(
    fc.integer({ min: 1, max: 99_999 }).map(String),
    fc.integer({ min: 1, max: 99 }).map((amount) => `${amount}%`),
  );
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 5000 }), (written, desired) => {
      const size = parseCanarySize(written);
      if ("kind" in size) throw new Error(size.reason);
      const canary = canaryReplicas(size, desired);
      expect(canary).toBeGreaterThanOrEqual(1);
      expect(canary).toBeLessThanOrEqual(desired);
    }),
  );
});

test.for([
  { size: replicas(3), desired: 3, reason: null },
  { size: replicas(4), desired: 3, reason: "4 canary replicas exceed the 3 desired replicas" },
  { size: percent(99), desired: 1, reason: null },
  { size: replicas(1), desired: 0, reason: "there are no replicas to run a canary on" },
  { size: percent(10), desired: 0, reason: "there are no replicas to run a canary on" },
])("a canary of $size.amount $size.unit with $desired replicas: $reason", ({ size, desired, reason }) => {
  expect(canaryUnavailableReason(size, { ...completeRollout, desiredReplicas: desired })).toBe(reason);
});

describe("a canary within the replicas of a StatefulSet leaves one of them stable", () => {
  test.for([
    { size: percent(51), desired: 2, stable: 1 },
    { size: percent(99), desired: 3, stable: 1 },
    { size: percent(25), desired: 1, stable: 1 },
    { size: replicas(3), desired: 3, stable: 1 },
    { size: replicas(2), desired: 3, stable: 1 },
    { size: replicas(1), desired: 20, stable: 19 },
    { size: percent(50), desired: 0, stable: 1 },
  ])("$size.amount $size.unit of $desired replicas: $stable", ({ size, desired, stable }) => {
    expect(partitionFor(size, desired)).toBe(stable);
  });

  test.for([
    { size: percent(25), desired: 1, reason: "no stable replica of 1; use 2 replicas or more, or no canary" },
    { size: replicas(1), desired: 1, reason: "no stable replica of 1; use 2 replicas or more, or no canary" },
    { size: replicas(3), desired: 3, reason: "no stable replica of 3; use at most 2" },
  ])("$size.amount $size.unit of $desired replicas are refused", ({ size, desired, reason }) => {
    expect(noStableReason(size, desired)).toContain(reason);
  });

  test.for([
    { size: percent(99), desired: 2 },
    { size: replicas(2), desired: 3 },
    { size: replicas(4), desired: 3 },
    { size: percent(99), desired: 0 },
  ])("$size.amount $size.unit of $desired replicas are not refused for that", ({ size, desired }) => {
    expect(noStableReason(size, desired)).toBeNull();
  });
});

describe("a percentage beside an autoscaler, which counts the pods of the canary too", () => {
  const canaryOf = (count: number, amount: number) => canaryReplicas(percent(amount), count);

  /** Returns what the controller of Kubernetes sets: for an average, all selected pods are ready. */
  function autoscale(count: number, canary: number, load: number): number {
    const pods = count + canary;
    return Math.abs(1 - load / pods) <= 0.1 + 1e-9 ? count : load;
  }

  test("settles after one change, takes no replica that the load needs, and is enough within the tolerance", () => {
    const amounts = fc.integer({ min: 1, max: 99 });
    const counts = fc.integer({ min: 1, max: 200 });
    fc.assert(
      fc.property(amounts, counts, counts, (amount, before, load) => {
        const stable = autoscale(before, canaryOf(before, amount), load);
        const canary = canaryOf(stable, amount);
        expect(autoscale(stable, canary, load)).toBe(stable);
        expect(stable).toBeGreaterThanOrEqual(Math.min(before, load));
        expect((stable + canary) * 1.1 + 1e-9).toBeGreaterThanOrEqual(load);
      }),
    );
  });
});
