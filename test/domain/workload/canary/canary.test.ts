import { describe, expect, test } from "vitest";
import type { CanaryStep } from "../../../../functions/domain/workload/canary/canary-step.ts";
import { startAnalysis } from "../../../../functions/domain/analysis/measure.ts";
import {
  assessCanary,
  knownVerdict,
  nextCanaryObservation,
  strategyOf,
} from "../../../../functions/domain/workload/canary/canary.ts";
import {
  after,
  canaryInFlight,
  canaryWorkload,
  canaryPods,
  completeRollout,
  noon,
  policy,
  type WorkloadParts,
  inFlight,
  rollingBack,
} from "../../../support/workloads.ts";

const unready = { ...canaryPods, readyReplicas: 0 };
const without = { ...unready, updatedReplicas: 0 };
const empty = { ...without, desiredReplicas: 0 };
const progress = {
  step: 2,
  steps: 3,
  plan: "1, pause, 2",
  size: "1",
  waitsFor: "Replicas",
  since: noon,
  until: null,
} as const;
const sized = { kind: "replicas", analysis: null, durationSeconds: null } as const;
const canarySteps: readonly CanaryStep[] = [
  { ...sized, size: { unit: "replicas", amount: 1 } },
  { kind: "pause", seconds: 600, end: "continue" },
  { ...sized, size: { unit: "replicas", amount: 2 } },
];
/** A canary with these steps. */
function stepped(parts: WorkloadParts) {
  return canaryWorkload({ ...parts, policy: { canarySteps, ...parts.policy } });
}

test.for([
  { when: "it is ready", parts: {}, minutes: 1, kind: "ready" },
  { when: "it became ready late", parts: {}, minutes: 11, kind: "ready" },
  { when: "it is not ready", parts: { canary: unready }, minutes: 1, kind: "progressing" },
  { when: "it does not exist yet", parts: { canary: null }, minutes: 1, kind: "progressing" },
  { when: "it is never ready", parts: { canary: unready }, minutes: 11, kind: "expired" },
  { when: "it never exists", parts: { canary: null }, minutes: 11, kind: "not-started" },
  { when: "it never has a pod", parts: { canary: without }, minutes: 11, kind: "not-started" },
  { when: "it has no replicas", parts: { canary: empty }, minutes: 1, kind: "progressing" },
  { when: "it never has replicas", parts: { canary: empty }, minutes: 11, kind: "not-started" },
  {
    when: "it was ready before",
    parts: { canary: unready, analysis: startAnalysis(noon) },
    minutes: 99,
    kind: "ready",
  },
  {
    when: "it was ready at this step",
    parts: { canary: unready, canaryProgress: { ...progress, waitsFor: "Analysis" } },
    minutes: 99,
    kind: "ready",
  },
  { when: "auto-update was disabled", parts: { policy: { optIn: "no" } }, minutes: 1, kind: "expired" },
  { when: "a person promotes it", parts: { verdict: "promote" }, minutes: 1, kind: "promoted" },
  { when: "a person aborts it", parts: { verdict: "abort" }, minutes: 1, kind: "expired" },
  { when: "a person aborts it unready", parts: { verdict: "abort", canary: unready }, minutes: 1, kind: "expired" },
] as const)("assessCanary when $when: $kind", ({ parts, minutes, kind }) => {
  expect(assessCanary(stepped(parts), canaryInFlight, after(minutes)).kind).toBe(kind);
});

describe("the health timeout of a step counts", () => {
  const rollout = { ...completeRollout, template: "t-1" };
  const seen = (template: string) => ({ kind: "observed", at: after(30), template }) as const;
  test.for([
    { from: "now, if no check has seen it", observation: undefined, minutes: 90, kind: "progressing" },
    { from: "when a check saw it", observation: seen("t-1/2"), minutes: 39, kind: "progressing" },
    { from: "when a check saw it", observation: seen("t-1/2"), minutes: 41, kind: "expired" },
    { from: "now, if a check saw the step before", observation: seen("t-1/1"), minutes: 41, kind: "progressing" },
    { from: "now, if the pod template has changed", observation: seen("t-0/2"), minutes: 41, kind: "progressing" },
  ])("from $from: after $minutes minutes $kind", ({ observation, minutes, kind }) => {
    const claim = { ...canaryInFlight, ...(observation && { observation }) };
    // The canary of a StatefulSet is part of it, and has its template.
    const canary = { ...unready, template: "t-1" };
    const current = stepped({ rollout, canary, canaryProgress: progress, inFlight: claim });
    expect(assessCanary(current, claim, after(minutes)).kind).toBe(kind);
  });

  test("from the check that notes it, once", () => {
    const parts = { rollout, canary: unready };
    const progressing = { kind: "progressing", waitSeconds: 15, reason: "" } as const;
    const observation = nextCanaryObservation(canaryWorkload(parts), progressing, after(3));
    expect(observation).toMatchObject({ kind: "observed", at: after(3), template: "t-1/1" });
    if (observation === null) throw new Error("nothing was noted");
    const noted = canaryWorkload({ ...parts, inFlight: { ...canaryInFlight, observation } });
    expect(nextCanaryObservation(noted, progressing, after(4))).toBe(null);
  });

  test("from its start, if the kind cannot note it", () => {
    const parts = { canary: unready };
    const progressing = { kind: "progressing", waitSeconds: 15, reason: "" } as const;
    expect(nextCanaryObservation(canaryWorkload(parts), progressing, after(3))).toBe(null);
  });
});

test("a malformed start time expires, also during the analysis", () => {
  const malformed = { ...canaryInFlight, startedAt: "malformed" } as const;
  const analyzed = canaryWorkload({ canary: unready, analysis: startAnalysis(noon), inFlight: malformed });
  expect(assessCanary(analyzed, malformed, after(1)).kind).toBe("expired");
});

test("names the manual abort", () => {
  const verdict = assessCanary(canaryWorkload({ verdict: "abort" }), canaryInFlight, after(1));
  expect(verdict).toEqual({ kind: "expired", reason: "aborted manually" });
});

test("strategyOf returns canary if the policy sets one", () => {
  expect(strategyOf(policy)).toBe("rolling");
  expect(strategyOf({ ...policy, canary: { unit: "percent", amount: 10 } })).toBe("canary");
});

const ended = { windows: [{ schedule: "0 12 * * *", durationSeconds: 60 }], rollsBackAtWindowEnd: true };
const inPhase = { canary: canaryInFlight, rollout: inFlight, rollback: rollingBack };

test.for([
  { when: "no verdict is known", parts: {}, phase: "canary", known: null },
  { when: "its rollback was interrupted", parts: { verdict: "promote" }, phase: "rollback", known: "fail" },
  { when: "it was already promoted", parts: { verdict: "abort" }, phase: "rollout", known: "pass" },
  { when: "auto-update was disabled", parts: { policy: { optIn: "no" } }, phase: "canary", known: "fail" },
  { when: "a person aborts it", parts: { verdict: "abort" }, phase: "canary", known: "fail" },
  { when: "a person promotes it", parts: { verdict: "promote" }, phase: "canary", known: "pass" },
  { when: "its window has ended", parts: { policy: ended }, phase: "canary", known: "withdraw" },
] as const)("knownVerdict when $when: $known", ({ parts, phase, known }) => {
  expect(knownVerdict(canaryWorkload(parts), inPhase[phase], after(2))?.kind ?? null).toBe(known);
});

describe("a canary of a StatefulSet without a pod", () => {
  const partitioned = { ...without, desiredReplicas: 1, partition: 2 };
  const stable = (readyReplicas: number) => ({ ...completeRollout, readyReplicas });
  const blocked = /; pods below the partition are not ready, and an ordered StatefulSet changes none above them/;
  test.for([
    { when: "a stable pod is not ready", parts: { canary: partitioned, rollout: stable(1) }, isNamed: true },
    { when: "all stable pods are ready", parts: { canary: partitioned, rollout: stable(2) }, isNamed: false },
    { when: "its owner set the partition", parts: { canary: without, rollout: stable(1) }, isNamed: false },
    { when: "nothing manages its pods", parts: { canary: partitioned, rollout: null }, isNamed: false },
    {
      when: "a pod of it exists",
      parts: { canary: { ...unready, partition: 2 }, rollout: stable(1) },
      isNamed: false,
    },
  ])("names the stable pods as the cause if $when: $isNamed", ({ parts, isNamed }) => {
    for (const minutes of [1, 11]) {
      const verdict = assessCanary(canaryWorkload(parts), canaryInFlight, after(minutes));
      expect("reason" in verdict && blocked.test(verdict.reason)).toBe(isNamed);
    }
  });
});
