import { expect, test } from "vitest";
import { bakeRuns, canaryRuns, hasBaseline } from "../../../../functions/domain/workload/canary/analysis-runs.ts";
import type { CanaryStep } from "../../../../functions/domain/workload/canary/canary-step.ts";
import { policy } from "../../../support/workloads.ts";

const five = { unit: "percent", amount: 5 } as const;
const sized = { kind: "replicas", size: five, analysis: null, durationSeconds: null } as const;
const canarySteps: readonly CanaryStep[] = [
  sized,
  { kind: "pause", seconds: 30, end: "continue" },
  { ...sized, size: null, analysis: "own", durationSeconds: 60 },
  { kind: "pause", seconds: 90, end: "withdraw" },
];
const short = { ...policy, canary: five };
const stepped = { ...short, canarySteps };

const first = { what: "the pause at step 2", seconds: 30 };
const own = [
  { what: "the duration of step 3", seconds: 60 },
  { what: "the pause at step 4", seconds: 90 },
];

test.for([
  { when: "no canary", of: { ...policy, analysis: "default" }, runs: {} },
  { when: "a canary without one", of: short, runs: {} },
  { when: "the short form", of: { ...short, analysis: "default" }, runs: { default: [] } },
  { when: "steps without a default", of: stepped, runs: { own } },
  { when: "steps", of: { ...stepped, analysis: "default" }, runs: { default: [first], own } },
  { when: "steps with the same", of: { ...stepped, analysis: "own" }, runs: { own: [first, ...own] } },
])("the analyses of a canary: $when", ({ of, runs }) => {
  const expected = Object.entries(runs).map(([analysis, times]) => ({ subject: "canary", analysis, times }));
  expect(canaryRuns(of)).toEqual(expected);
});

test.for([
  { when: "none", of: stepped, has: false },
  { when: "of its age", of: { ...stepped, baseline: "sameAge" }, has: true },
  { when: "without an analysis", of: { ...short, baseline: "sameAge" }, has: false },
  { when: "without a canary", of: { ...policy, analysis: "default", baseline: "sameAge" }, has: false },
] as const)("a baseline: $when", ({ of, has }) => {
  expect(hasBaseline(of)).toBe(has);
});

test.for([
  { when: "none", of: { bake: null, analysis: "a" }, runs: [] },
  { when: "without an analysis", of: { bake: { seconds: 60 }, analysis: null }, runs: [] },
  { when: "until it has completed", of: { bake: { seconds: null }, analysis: "a" }, runs: [[]] },
  {
    when: "of a minute",
    of: { bake: { seconds: 60 }, analysis: "a" },
    runs: [[{ what: "the bake time", seconds: 60 }]],
  },
])("the analysis of a bake time: $when", ({ of, runs }) => {
  const expected = runs.map((times) => ({ subject: "rollout", analysis: "a", times }));
  expect(bakeRuns({ ...policy, ...of })).toEqual(expected);
});
