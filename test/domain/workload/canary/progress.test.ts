import { describe, expect, test } from "vitest";
import type { CanaryProgress, CanaryStep } from "../../../../functions/domain/workload/canary/canary-step.ts";
import {
  beginStep,
  currentSize,
  isContinuedByPromotion,
  nextProgress,
  stepInFlight,
  stepText,
} from "../../../../functions/domain/workload/canary/progress.ts";
import { after, canaryInFlight, canaryWorkload, noon, policy } from "../../../support/workloads.ts";

const percent = (amount: number) => ({ unit: "percent", amount }) as const;
const sized = { kind: "replicas", size: percent(5), analysis: null, durationSeconds: null } as const;
const measured = { ...sized, size: null, analysis: "own", durationSeconds: 60 } as const;
const canarySteps: readonly CanaryStep[] = [
  sized,
  measured,
  { kind: "pause", seconds: 60, end: "withdraw" },
  { ...sized, size: { unit: "replicas", amount: 9 } },
  { kind: "pause", seconds: 90, end: "continue" },
];
const stepped = { ...policy, canary: percent(5), canarySteps };
const plan = "5%, analysis, pause, 9, pause";
const begun = { steps: 5, plan, since: noon, until: null } as const;
const short = { ...policy, canary: percent(25) };

describe("a step begins", () => {
  test.for<{ step: number; progress: CanaryProgress | null }>([
    { step: 1, progress: { ...begun, step: 1, size: "5%", waitsFor: "Replicas" } },
    { step: 2, progress: { ...begun, step: 2, size: "5%", waitsFor: "Replicas" } },
    { step: 3, progress: { ...begun, step: 3, size: "5%", waitsFor: "Promotion", until: after(1) } },
    { step: 4, progress: { ...begun, step: 4, size: "9", waitsFor: "Replicas" } },
    { step: 5, progress: { ...begun, step: 5, size: "9", waitsFor: "Time", until: after(1.5) } },
    { step: 6, progress: null },
  ])("$step", ({ step, progress }) => {
    expect(beginStep(stepped, step, new Date(noon.getTime() + 900))).toEqual(progress);
  });

  test("without a canary: none", () => {
    expect(beginStep(policy, 1, noon)).toBeNull();
  });
});

test.for([
  { when: "a canary of the short form", own: short, step: null, size: percent(25) },
  { when: "a canary whose progress is not recorded", own: stepped, step: null, size: percent(5) },
  { when: "a pause", own: stepped, step: 3, size: percent(5) },
  { when: "the last size", own: stepped, step: 5, size: { unit: "replicas", amount: 9 } },
  { when: "no canary", own: policy, step: null, size: null },
])("the size at $when", ({ own, step, size }) => {
  const canaryProgress = step === null ? null : beginStep(own, step, noon);
  expect(currentSize({ policy: own, canaryProgress })).toEqual(size);
});

test.for([
  { when: "its steps were changed", recorded: "40%", size: percent(40) },
  { when: "it cannot be parsed", recorded: "many", size: percent(5) },
])("the size of a canary if $when: $recorded", ({ recorded, size }) => {
  const canaryProgress = { ...begun, step: 1, size: recorded, waitsFor: "Replicas" } as const;
  expect(currentSize({ policy: stepped, canaryProgress })).toEqual(size);
});

describe("StartCanary brings a canary", () => {
  const at = (step: number, parts: Partial<CanaryProgress> = {}) =>
    canaryWorkload({
      policy: stepped,
      canaryProgress: { ...(beginStep(stepped, step, noon) as CanaryProgress), ...parts },
    });

  test.for([
    { when: "to the same step as long as that is not over", workload: at(2), step: 2, since: noon },
    { when: "to the next step", workload: at(2, { waitsFor: "NextStep" }), step: 3, since: after(5) },
    {
      when: "to the first step if its steps were changed",
      workload: at(4, { plan: "5%, 10%" }),
      step: 1,
      since: after(5),
    },
  ])("$when", ({ workload, step, since }) => {
    const next = nextProgress(workload, after(5));
    expect({ step: next?.step, since: next?.since }).toEqual({ step, since });
  });

  test.for([
    { step: 1, waitsFor: "Replicas", isContinued: false },
    { step: 3, waitsFor: "Promotion", isContinued: true },
    { step: 3, waitsFor: "NextStep", isContinued: true },
    { step: 3, waitsFor: "Time", isContinued: true },
    { step: 5, waitsFor: "Time", isContinued: true },
    { step: 5, waitsFor: "Analysis", isContinued: false },
  ] as const)(
    "promote at step $step, which waits for $waitsFor, continues it: $isContinued",
    ({ isContinued, ...parts }) => {
      expect(isContinuedByPromotion(at(parts.step, parts))).toBe(isContinued);
    },
  );

  test("the health timeout counts from the step", () => {
    const progress = at(2, { since: after(30) }).canaryProgress;
    expect(stepInFlight(canaryInFlight, progress)).toEqual({ ...canaryInFlight, startedAt: after(30) });
    expect(stepInFlight(canaryInFlight, null)).toBe(canaryInFlight);
    const malformed = { ...canaryInFlight, startedAt: "malformed" } as const;
    expect(stepInFlight(malformed, progress)).toBe(malformed);
  });

  test("the step is in the output of each state", () => {
    expect(stepText(at(3))).toBe("3/5 (5%)");
    expect(stepText(at(2, { size: "1" }))).toBe("2/5 (1 replica)");
    expect(stepText(at(4, { size: "9" }))).toBe("4/5 (9 replicas)");
    expect(stepText(canaryWorkload())).toBe("");
  });
});
