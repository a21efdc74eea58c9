import { expect, test } from "vitest";
import { changedFreezes, describeFreezes } from "../../../functions/domain/gates/changed-freezes.ts";
import type { Freeze } from "../../../functions/domain/gates/freeze.ts";
import { after, noon } from "../../support/workloads.ts";

const freeze: Freeze = { from: null, to: null, reason: "incident 7", by: null, namespaces: null, rollBack: false };

test("each freeze is described as it is written", () => {
  const whole = { ...freeze, by: "anna", from: noon, to: after(60), namespaces: ["shop", "pay"], rollBack: true };
  expect(describeFreezes({ kind: "known", freezes: [freeze, whole] })).toEqual([
    "incident 7",
    "incident 7, by anna, as it says, from 2026-11-20T12:00:00Z, until 2026-11-20T13:00:00Z, in shop, pay, updates in progress go back",
  ]);
  expect(describeFreezes({ kind: "unknown", reason: "is no list" })).toEqual(["invalid: is no list"]);
});

test("what is long is cut", () => {
  const freezes = Array.from({ length: 60 }, () => ({ ...freeze, reason: "x".repeat(1000) }));
  const described = describeFreezes({ kind: "known", freezes });
  expect(described).toHaveLength(50);
  expect(described[0]?.length).toBeLessThanOrEqual(300);
});

test.for<[string | null, readonly string[], readonly string[]]>([
  [null, [], []],
  [null, ["a"], ["frozen: a"]],
  ['["a"]', ["a"], []],
  ['["a"]', [], ["no longer frozen: a"]],
  ['["a","b"]', ["b", "c"], ["frozen: c", "no longer frozen: a"]],
  ["7", ["a"], ["frozen: a"]],
  ["{", ["a"], ["frozen: a"]],
])("after %s, %j: %j", ([before, current, expected]) => {
  expect(changedFreezes(before, current)).toEqual(expected);
});
