import { describe, expect, test } from "vitest";
import type { CanaryProgress, CanaryStep } from "../../../../functions/domain/workload/canary/canary-step.ts";
import { beginStep } from "../../../../functions/domain/workload/canary/progress.ts";
import type { Rollout } from "../../../../functions/domain/workload/workload.ts";
import { assessGrowth, assessStage } from "../../../../functions/domain/workload/canary/stage.ts";
import {
  after,
  canaryInFlight,
  canaryPods,
  canaryWorkload,
  completeRollout,
  noon,
  policy,
  type WorkloadParts,
} from "../../../support/workloads.ts";
import { problemsOf } from "../../../support/problems.ts";

const percent = (amount: number) => ({ unit: "percent", amount }) as const;
const sized = { kind: "replicas", size: percent(5), analysis: null, durationSeconds: null } as const;
const canarySteps: readonly CanaryStep[] = [
  sized,
  { ...sized, size: null, analysis: "own", durationSeconds: 60 },
  { kind: "pause", seconds: 600, end: "withdraw" },
  { kind: "pause", seconds: 600, end: "continue" },
  { ...sized, size: percent(50), analysis: "own" },
];
const stepped = { ...policy, canary: percent(5), canarySteps, analysis: "default" };

/** Returns the stage at a step since noon. */
function stageAt(step: number, minutes: number, parts: WorkloadParts = {}, progress: Partial<CanaryProgress> = {}) {
  const canaryProgress = { ...(beginStep(stepped, step, noon) as CanaryProgress), ...progress };
  return assessStage(canaryWorkload({ policy: stepped, canaryProgress, ...parts }), after(minutes));
}

describe("a canary that grows is measured by the policy's analysis", () => {
  const unready = { ...canaryPods, readyReplicas: 0 };
  test.for([
    {
      when: "at a later step",
      step: 5,
      parts: {},
      is: { kind: "paused", analysis: "default", waitSeconds: 15, reason: "0 of 1 replicas ready", edited: null },
    },
    { when: "not at the first step", step: 1, parts: {}, is: null },
    { when: "not in a pause", step: 3, parts: {}, is: null },
    { when: "not when its replicas are ready", step: 5, parts: { canary: canaryPods }, is: null },
    { when: "not if there is none", step: 5, parts: { policy: { ...stepped, analysis: null } }, is: null },
    { when: "not if its step is not recorded", step: 5, parts: { canaryProgress: null }, is: null },
  ])("$when", ({ step, parts, is }) => {
    const canaryProgress = beginStep(stepped, step, noon);
    const growing = canaryWorkload({ policy: stepped, canary: unready, canaryProgress, ...parts });
    expect(assessGrowth(growing, canaryInFlight, after(1))).toEqual(is);
  });

  test.for([
    { evicted: 8, wait: 6 },
    { evicted: 600, isOnDelete: false, wait: 60 },
  ])(
    "each pod that Pawl replaces is checked soon: $wait s, $evicted s after its eviction",
    ({ evicted, isOnDelete = true, wait }) => {
      const evictedAt = after((600 - evicted) / 60);
      const inFlight = {
        ...canaryInFlight,
        observation: { kind: "observed", at: evictedAt, template: "t-1" },
      } as const;
      const own = { ...stepped, healthTimeoutSeconds: 7200 };
      const parts = { canary: unready, canaryProgress: beginStep(own, 5, noon), inFlight };
      const rollout: Rollout = { ...completeRollout, ...(isOnDelete ? { isOnDelete } : {}) };
      const growing = canaryWorkload({ policy: own, rollout, ...parts });
      expect(assessGrowth(growing, inFlight, after(10))).toMatchObject({ kind: "paused", waitSeconds: wait });
    },
  );
});

describe("a step is measured", () => {
  test.for([
    { when: "by the policy's analysis, if it has a size", step: 1, analysis: "default", durationSeconds: null },
    { when: "by its own analysis, for its duration", step: 2, analysis: "own", durationSeconds: 60 },
    { when: "by its own analysis instead of the policy's", step: 5, analysis: "own", durationSeconds: null },
  ])("$when", ({ step, analysis, durationSeconds }) => {
    expect(stageAt(step, 1)).toEqual({ kind: "measure", analysis, durationSeconds });
  });

  test("without a size and an analysis of its own: not at all", () => {
    const own = [sized, { ...sized, size: null }];
    const canaryProgress = beginStep({ ...stepped, canarySteps: own }, 2, noon);
    const workload = canaryWorkload({ policy: { ...stepped, canarySteps: own }, canaryProgress });
    expect(assessStage(workload, noon)).toMatchObject({ kind: "measure", analysis: null });
  });

  test("if its progress is not recorded: as the first", () => {
    expect(assessStage(canaryWorkload({ policy: stepped }), noon)).toMatchObject({ analysis: "default" });
  });

  test("if the steps were removed: by the policy's analysis", () => {
    const parts = { policy: { ...policy, canary: null, analysis: "default" } };
    expect(stageAt(3, 1, parts)).toEqual({ kind: "measure", analysis: "default", durationSeconds: null });
  });
});

describe("a pause", () => {
  test.for([
    {
      when: "waits for a person",
      step: 3,
      minutes: 1,
      stage: {
        kind: "paused",
        analysis: "own",
        waitSeconds: 60,
        reason: 'the pause at step 3/5 (5%) waits for "pawl promote", and is withdrawn in 9m0s',
        edited: null,
      },
    },
    {
      when: "waits for its time, and not past it",
      step: 4,
      minutes: 9.5,
      stage: {
        kind: "paused",
        analysis: "own",
        waitSeconds: 30,
        reason: "the pause at step 4/5 (5%) continues by itself in 30s",
        edited: null,
      },
    },
    {
      when: "nobody continued is withdrawn",
      step: 3,
      minutes: 10,
      stage: { kind: "withdraw", reason: "the pause at step 3/5 (5%) was not continued within 10m0s" },
    },
    {
      when: "whose time has passed is over",
      step: 4,
      minutes: 10,
      stage: { kind: "over", reason: "the pause at step 4/5 (5%) is over" },
    },
  ])("that $when", ({ step, minutes, stage }) => {
    expect(stageAt(step, minutes)).toEqual(stage);
  });

  test.for<{ when: string; recorded: Partial<CanaryProgress> }>([
    { when: "waited for a person", recorded: { waitsFor: "Promotion", until: after(1440) } },
    { when: "was longer", recorded: { until: after(60) } },
    { when: "waited for a person as long", recorded: { waitsFor: "Promotion" } },
    { when: "had no end", recorded: { until: null } },
  ])("that $when, and is edited, has its new end", ({ recorded }) => {
    expect(stageAt(4, 1, {}, recorded)).toMatchObject({ kind: "paused", edited: beginStep(stepped, 4, noon) });
  });

  test.for([3, 4])("at step %i is continued manually, also late", (step) => {
    expect(stageAt(step, 99, { verdict: "continue" })).toMatchObject({
      kind: "over",
      reason: expect.stringContaining("continued manually"),
    });
  });
});

test("a step that is over stays so", () => {
  const stage = stageAt(2, 1, {}, { waitsFor: "NextStep" });
  expect(stage).toEqual({ kind: "over", reason: "step 2/5 (5%) is over" });
});

test("invalid steps conclude nothing", () => {
  const parts = { policy: { ...policy, canary: null }, problems: problemsOf("pawl.dev/canary-steps: [0]: is bad") };
  expect(stageAt(3, 99, parts)).toEqual({ kind: "invalid", reason: "pawl.dev/canary-steps: [0]: is bad" });
});
