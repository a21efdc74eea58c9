import { describe, expect, test } from "vitest";
import { pauseAnalysis } from "../../../../functions/domain/analysis/pause.ts";
import { hasFailingPods } from "../../../../functions/domain/workload/update/readiness.ts";
import {
  assessHealth,
  failCanary,
  isCanaryReplaced,
  missingCanaryCondition,
  promotionObstacle,
} from "../../../../functions/domain/workload/canary/health.ts";
import {
  after,
  canaryInFlight,
  canaryPods,
  canaryWorkload,
  completeRollout,
  image,
  noon,
  target,
} from "../../../support/workloads.ts";
import { observedPod } from "../../../support/observed-pods.ts";
import { problemsOf } from "../../../support/problems.ts";

const unready = { ...canaryPods, readyReplicas: 0 };
const without = { ...unready, updatedReplicas: 0 };
const empty = { ...without, desiredReplicas: 0 };
const reverted = { ...unready, image };
const unobserved = { ...unready, generation: 3 };

test.for([
  { ready: 1, minutes: 1, kind: "ready" },
  { ready: 0, minutes: 1, kind: "not-ready", reason: "0 of 1 baseline replicas available" },
  { ready: 0, minutes: 11, kind: "withdraw", reason: "not ready for 600 s: 0 of 1 baseline replicas available" },
])(
  "a canary with $ready of 1 pods of its baseline, after $minutes min: $kind",
  ({ ready, minutes, kind, reason = "" }) => {
    const canary = { ...canaryPods, baseline: { desiredReplicas: 1, readyReplicas: ready } };
    const workload = canaryWorkload({ canary, analysis: pauseAnalysis(null, "NotReady", "", noon) });
    const health = assessHealth(workload, canaryInFlight, after(minutes));
    expect(health.kind).toBe(kind);
    expect("reason" in health ? health.reason : "").toContain(reason);
    expect(promotionObstacle(workload, canaryInFlight)).toBeNull();
  },
);

test("a canary whose pod fails its probe for a moment is not blamed for the time without its baseline", () => {
  const canary = { ...unready, baseline: { desiredReplicas: 1, readyReplicas: 0 } };
  const workload = canaryWorkload({ canary, analysis: pauseAnalysis(null, "NotReady", "", noon) });
  expect(assessHealth(workload, canaryInFlight, after(11), { failing: 1 }).kind).toBe("withdraw");
});

describe.for([
  { when: "ready", canary: canaryPods, missing: null, failing: false },
  { when: "unready", canary: unready, missing: "0 of 1 replicas ready", failing: true },
  { when: "without a pod", canary: without, missing: "0 of 1 replicas updated", failing: false },
  { when: "without replicas", canary: empty, missing: "the canary has no replicas", failing: false },
  { when: "deleted", canary: null, missing: "the canary does not exist", failing: false },
  { when: "on another image", canary: reverted, missing: `the pod template runs ${image}`, failing: false },
  { when: "without a container", canary: { ...unready, image: null }, missing: "no such container", failing: false },
  { when: "not observed", canary: unobserved, missing: "has not observed the change", failing: false },
])("a canary that is $when", ({ canary, missing, failing }) => {
  test(`is missing: ${missing}`, () => {
    expect(missingCanaryCondition(canary, target) ?? "nothing").toContain(missing ?? "nothing");
  });

  test(`${failing ? "has" : "does not have"} failing pods`, () => {
    expect(hasFailingPods(canary, target)).toBe(failing);
  });

  test("is paused, and judged only after the health timeout", () => {
    const first = assessHealth(canaryWorkload({ canary }), canaryInFlight, after(60));
    expect(first.kind).toBe(missing === null ? "ready" : "not-ready");
    const analysis = pauseAnalysis(null, "NotReady", "", noon);
    const paused = canaryWorkload({ canary, analysis });
    expect(assessHealth(paused, canaryInFlight, after(10)).kind).toBe(first.kind);
    const expected = missing === null ? "ready" : failing ? "fail" : "withdraw";
    expect(assessHealth(paused, canaryInFlight, after(10.1)).kind).toBe(expected);
    const invalid = canaryWorkload({ canary, analysis: pauseAnalysis(null, "Invalid", "", noon) });
    expect(assessHealth(invalid, canaryInFlight, after(10.1)).kind).toBe(first.kind);
    const withProblem = { ...paused, problems: problemsOf("health-timeout") };
    expect(assessHealth(withProblem, canaryInFlight, after(10.1)).kind).toBe(first.kind);
  });

  test("is not blamed for pods whose node is the cause, or that do not fail themselves", () => {
    const paused = canaryWorkload({ canary, analysis: pauseAnalysis(null, "NotReady", "", noon) });
    const expected = missing === null ? "ready" : "withdraw";
    for (const pods of [{ excused: 1 }, { failing: 0 }])
      expect(assessHealth(paused, canaryInFlight, after(10.1), pods).kind).toBe(expected);
  });

  test("is promoted only if it is ready, or a person promotes it", () => {
    const workload = canaryWorkload({ canary });
    expect(promotionObstacle(workload, canaryInFlight)).toBe(missingCanaryCondition(canary, target));
    expect(promotionObstacle({ ...workload, verdict: "promote" }, canaryInFlight)).toBeNull();
    expect(promotionObstacle(workload, { ...canaryInFlight, phase: "rollout" })).toBeNull();
  });
});

const complete = { ...completeRollout, image: target };
const promoted = { ...canaryInFlight, phase: "rollout" } as const;
test.for([
  { when: "all new pods are available", rollout: complete, is: true },
  { when: "a new pod is not available", rollout: { ...complete, readyReplicas: 0 }, is: false },
  { when: "no pod is wanted", rollout: { ...complete, desiredReplicas: 0, readyReplicas: 0 }, is: true },
  { when: "its workload was deleted", rollout: null, is: false },
  { when: "there is none", rollout: complete, canary: null, is: false },
  { when: "it is not promoted", rollout: complete, inFlight: canaryInFlight, is: false },
  {
    when: "its promotion is not written",
    rollout: complete,
    inFlight: { ...promoted, isApplied: false } as const,
    is: false,
  },
])("a promoted canary is replaced if $when: $is", ({ rollout, canary = canaryPods, inFlight = promoted, is }) => {
  expect(isCanaryReplaced(canaryWorkload({ rollout, canary }), inFlight)).toBe(is);
});

const evidence = [{ pod: "web-0", cause: observedPod({ exits: 4 }).cause }];
const failure = { kind: "exits", reason: "exited 4 times", evidence } as const;

test.for([
  { health: { kind: "ready" }, control: [], kind: "fail" },
  { health: { kind: "not-ready", waitSeconds: 15, reason: "0 of 1" }, control: [], kind: "fail" },
  { health: { kind: "ready" }, control: evidence, kind: "unproven" },
  { health: { kind: "withdraw", reason: "no pod" }, control: [], kind: "withdraw" },
] as const)(
  "a canary that is $health.kind is judged as $kind if a pod of it has failed",
  ({ health, control, kind }) => {
    expect(failCanary(health, canaryWorkload(), failure, control).kind).toBe(kind);
  },
);
