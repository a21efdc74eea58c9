import { describe, expect, test } from "vitest";
import type { CanaryProgress } from "../../../../functions/domain/workload/canary/canary-step.ts";
import {
  recordCanary,
  recordMeasuring,
  recordStep,
  recordStepEnd,
} from "../../../../functions/domain/workload/canary/record.ts";
import { parseCanarySteps } from "../../../../functions/domain/workload/canary/steps.ts";
import {
  after,
  canaryInFlight,
  canaryPods,
  canaryWorkload,
  noon,
  target,
  workload,
  updateTarget,
} from "../../../support/workloads.ts";

describe("steps", () => {
  const parsed = parseCanarySteps([{ size: 1 }, { size: "50%" }, { pause: {} }, { size: "75%" }]);
  if (parsed.kind === "invalid") throw new Error("invalid steps");
  const one = { unit: "replicas", amount: 1 } as const;
  const policy = { canary: one, canarySteps: parsed.value };
  const plan = "1, 50%, pause, 75%";
  const progress: CanaryProgress = {
    step: 2,
    steps: 4,
    plan,
    size: "50%",
    waitsFor: "Replicas",
    since: after(5),
    until: null,
  };
  const half = { image: target, size: { unit: "percent", amount: 50 } } as const;
  const at = (parts: Partial<CanaryProgress>, more = {}) =>
    canaryWorkload({ policy, canaryProgress: { ...progress, ...parts }, ...more });

  test("a claim begins the first, which its own execution does not begin again", () => {
    const claimed = recordCanary(workload({ policy }), { target: updateTarget, digests: null }, "e-1", one, noon);
    expect(claimed.canaryProgress).toEqual({ ...progress, step: 1, size: "1", since: noon });
    expect(recordCanary(at({}), { target: updateTarget, digests: null }, "e-1", one, noon)).not.toHaveProperty(
      "canaryProgress",
    );
  });

  test.for([
    { when: "the next one, without the measurements before it", waitsFor: "NextStep", step: 1, begun: progress },
    { when: "the same one again", waitsFor: "Analysis", step: 2, begun: undefined },
  ] as const)("a canary in flight begins $when", ({ waitsFor, step, begun }) => {
    const change = recordStep(at({ waitsFor, step }), canaryInFlight, after(5));
    expect(change).toEqual({ canary: half, ...(begun ? { canaryProgress: begun, analysis: null } : {}) });
  });

  test.for([
    { when: "goes back from four to one", from: "4", size: 4, steps: [{ size: 1 }, { pause: {} }, { size: 4 }] },
    { when: "continues with less, in another unit", from: "4", size: 4, steps: [{ size: "20%" }] },
    { when: "continues with more", from: "1", size: 2, steps: [{ size: 2 }] },
  ])("a canary within five replicas that $when has $size", ({ from, size: amount, steps }) => {
    const edited = parseCanarySteps(steps);
    if (edited.kind === "invalid") throw new Error("invalid steps");
    const own = { canary: one, canarySteps: edited.value };
    const updated = Number(from);
    const canary = { ...canaryPods, partition: 5 - updated, desiredReplicas: updated, updatedReplicas: updated };
    const current = at({ size: from }, { policy: own, canary });
    expect(recordStep(current, canaryInFlight, after(9))).toMatchObject({
      canary: { size: { unit: "replicas", amount } },
      canaryProgress: { step: 1, size: `${amount}` },
    });
  });

  test.for([
    { when: "goes back from four to one", from: 4, size: 4, steps: [{ size: 1 }, { size: 4 }] },
    { when: "continues with less, in another unit", from: 4, size: 4, steps: [{ size: "20%" }] },
    { when: "continues with all", from: 4, size: 5, steps: [{ size: 5 }] },
  ])(
    "a canary that shares five replicas with the stable set, and $when, has $size",
    ({ from, size: amount, steps }) => {
      const edited = parseCanarySteps(steps);
      if (edited.kind === "invalid") throw new Error("invalid steps");
      const canary = { ...canaryPods, desiredReplicas: from, updatedReplicas: from, sharedReplicas: 5 };
      const current = at({ size: `${from}` }, { policy: { canary: one, canarySteps: edited.value }, canary });
      expect(recordStep(current, canaryInFlight, after(9))).toMatchObject({
        canary: { size: { unit: "replicas", amount } },
        canaryProgress: { step: 1, size: `${amount}` },
      });
    },
  );

  test.for([
    { when: "between two steps", progress: { step: 1, size: "1", waitsFor: "NextStep" } },
    { when: "at a later step", progress: { waitsFor: "Replicas" } },
  ] as const)("a canary that was deleted $when begins again", ({ progress: parts }) => {
    expect(recordStep(at(parts, { canary: null }), canaryInFlight, after(9))).toEqual({
      canary: { image: target, size: one, isRestart: true },
      canaryProgress: { ...progress, step: 1, size: "1", since: after(9) },
      analysis: null,
    });
  });

  test("a canary that is not created yet does not begin again", () => {
    expect(recordStep(at({ step: 1, size: "1" }, { canary: null }), canaryInFlight, after(9))).toBeNull();
  });

  test.for([
    { when: "the first step, which its claim has begun", given: at({ step: 1, size: "1" }) },
    { when: "a step that is not recorded", given: canaryWorkload({ policy }) },
    { when: "steps that were removed", given: at({}, { policy: { canary: null } }) },
    { when: "the last step, which is over", given: at({ step: 4, waitsFor: "NextStep" }) },
  ])("there is nothing to begin at $when", ({ given }) => {
    expect(recordStep(given, canaryInFlight, after(5))).toBeNull();
  });

  test("nothing is begun before the claimed canary is created", () => {
    expect(recordStep(at({}), { ...canaryInFlight, isApplied: false }, after(5))).toBeNull();
  });

  const request = { verb: "promote", argument: null, token: "t-1" };
  const promote = { request, verdict: "continue" } as const;
  const promoteFull = { request: { ...request, argument: "full" }, verdict: "promote" } as const;
  const ended = { canaryProgress: { ...progress, step: 3, waitsFor: "NextStep", since: after(6), until: null } };
  test.for([
    { when: "and answers the person who continued a pause", waitsFor: "Promotion", more: promote, answered: true },
    { when: "and answers the person who continues it again", waitsFor: "NextStep", more: promote, answered: true },
    { when: "and answers nobody else", waitsFor: "Promotion", more: {}, answered: false },
    { when: "and leaves a promotion in full", waitsFor: "Promotion", more: promoteFull, answered: false },
    { when: "and leaves a request that the next check refuses", waitsFor: "Replicas", more: promote, answered: false },
  ] as const)("the end of a step is recorded, $when", ({ waitsFor, more, answered }) => {
    const paused = { ...progress, step: 3, waitsFor };
    const result = "the canary continues after step 3/4 (50%)";
    const answer = answered ? { answer: { token: "t-1", verb: "promote", result } } : {};
    expect(recordStepEnd(at(paused, more), paused, after(6))).toEqual({ ...ended, ...answer });
  });

  test.for([
    { when: "it continues to the next step", given: at({ step: 1, waitsFor: "NextStep" }, promote), step: "2/4 (50%)" },
    {
      when: "it was paused, and its steps were changed",
      given: at({ plan: "1", waitsFor: "Promotion" }, promote),
      step: "1/4 (1 replica)",
    },
  ])("a promotion of a canary does not promote it in full after $when", ({ given, step }) => {
    const answer = { token: "t-1", verb: "promote", result: `the canary continues with step ${step}` };
    expect(recordStep(given, canaryInFlight, after(5))).toMatchObject({ answer });
  });

  test("the first measurement of a step is recorded", () => {
    const measuring = { ...progress, waitsFor: "Analysis", since: after(7) };
    expect(recordMeasuring(progress, after(7))).toEqual({ canaryProgress: measuring });
    expect(recordMeasuring({ ...progress, waitsFor: "Analysis" }, after(7))).toEqual({});
    expect(recordMeasuring(null, after(7))).toEqual({});
  });
});
