import { describe, expect, test } from "vitest";
import { assessCanary } from "../../../../functions/domain/workload/canary/canary.ts";
import { ownerChange } from "../../../../functions/domain/workload/canary/follow.ts";
import { assessHealth, promotionObstacle } from "../../../../functions/domain/workload/canary/health.ts";
import { recordStep } from "../../../../functions/domain/workload/canary/record.ts";
import { beginStep } from "../../../../functions/domain/workload/canary/progress.ts";
import type { CanaryProgress } from "../../../../functions/domain/workload/canary/canary-step.ts";
import type { CanarySize } from "../../../../functions/domain/workload/canary/canary-size.ts";
import {
  after,
  canaryInFlight,
  canaryPods,
  canaryWorkload,
  completeRollout,
  noon,
  policy,
} from "../../../support/workloads.ts";
import { problemsOf } from "../../../support/problems.ts";

const one: CanarySize = { unit: "replicas", amount: 1 };
const percent: CanarySize = { unit: "percent", amount: 20 };

type Parts = NonNullable<Parameters<typeof canaryWorkload>[0]>;

/** A canary of `size` at its first step. */
function running({ size = one, ...parts }: Parts & { readonly size?: CanarySize } = {}) {
  const own = { ...policy, canary: size, canarySteps: [] };
  return canaryWorkload({ policy: own, canaryProgress: beginStep(own, 1, noon), ...parts });
}

const edited = { ...completeRollout, isTemplateEdited: true } as const;
const paused = { ...edited, isPaused: true } as const;

/** Of steps that were longer than these. */
const eighth = { ...(beginStep({ ...policy, canary: one }, 1, noon) as CanaryProgress), step: 8, plan: "1, 2, 3" };

describe("what its owner has changed", () => {
  test.for([
    { when: "nothing was changed", parts: {}, kind: undefined },
    { when: "the pod template was changed", parts: { rollout: edited }, kind: "restart" },
    { when: "its steps were changed", parts: { canaryProgress: eighth }, kind: "edited" },
    {
      when: "its steps were changed, and the pod template",
      parts: { canaryProgress: eighth, rollout: edited },
      kind: "restart",
    },
    {
      when: "its steps were changed, and its object no longer exists",
      parts: { canaryProgress: eighth, rollout: null },
      kind: "edited",
    },
    { when: "and its steps were removed", parts: { rollout: edited, policy }, kind: "withdraw" },
    {
      when: "and its steps are invalid",
      parts: { rollout: edited, policy, problems: problemsOf("bad") },
      kind: "invalid",
    },
    { when: "only its steps were removed", parts: { policy }, kind: undefined },
    { when: "it was paused", parts: { rollout: { ...completeRollout, isPaused: true } }, kind: "wait" },
    { when: "it was paused to change the pod template", parts: { rollout: paused }, kind: "wait" },
    { when: "its steps are not recorded", parts: { rollout: edited, canaryProgress: null }, kind: undefined },
    { when: "its object does not exist", parts: { rollout: null }, kind: undefined },
  ] as const)("$when: $kind", ({ parts, kind }) => {
    expect(ownerChange(running(parts))?.kind).toBe(kind);
  });
});

describe("the partition follows scaling", () => {
  const rows = [
    { when: "nothing was scaled", replicas: 5, partition: 4, updated: 1, reason: undefined },
    { when: "it was scaled up", replicas: 20, partition: 4, updated: 16, reason: "19 of them stay stable, not 4" },
    {
      when: "a percentage",
      size: percent,
      replicas: 20,
      partition: 4,
      updated: 1,
      reason: "16 of them stay stable, not 4",
    },
    {
      when: "added pods run the target",
      replicas: 20,
      partition: 19,
      updated: 16,
      reason: "15 replicas that run the target become stable, one at a time",
    },
    { when: "it was scaled down", replicas: 3, partition: 4, updated: 0, reason: "2 of them stay stable, not 4" },
    { when: "it was scaled to 1", replicas: 1, partition: 1, updated: 0, reason: undefined },
    { when: "it was scaled to 0", replicas: 0, partition: 1, updated: 0, reason: undefined },
  ];
  const partitioned = (replicas: number, partition: number | undefined, updatedReplicas: number) => ({
    rollout: { ...completeRollout, desiredReplicas: replicas, readyReplicas: replicas },
    canary: {
      ...canaryPods,
      desiredReplicas: Math.max(0, replicas - (partition ?? 0)),
      updatedReplicas,
      ...(partition === undefined ? {} : { partition }),
    },
  });

  test.for(rows)("$when: $reason", ({ size = one, replicas, partition, updated, reason = "" }) => {
    const changed = ownerChange(running({ size, ...partitioned(replicas, partition, updated) }));
    expect(changed?.kind).toBe(reason === "" ? undefined : "resize");
    expect(changed?.reason ?? "").toContain(reason);
  });

  test.for([
    { when: "all replicas are available", ready: 10, updated: 8, kind: "resize", isReady: true },
    { when: "a stable one is not available", ready: 9, updated: 8, kind: "return", isReady: true },
    { when: "one of the target is not, whose health is judged", ready: 9, updated: 7, kind: undefined, isReady: false },
  ])("three established pods become stable if $when: $kind", ({ ready, updated, kind, isReady }) => {
    const half: CanarySize = { unit: "percent", amount: 50 };
    const { rollout, canary } = partitioned(10, 5, 8);
    const scaled = running({
      size: half,
      rollout: { ...rollout, readyReplicas: ready },
      canary: { ...canary, readyReplicas: updated },
    });
    expect(ownerChange(scaled)?.kind).toBe(kind);
    expect(assessHealth(scaled, canaryInFlight, after(1)).kind).toBe(isReady ? "ready" : "not-ready");
  });

  test("not if its owner has set it, and not without a size", () => {
    expect(ownerChange(running(partitioned(20, undefined, 16)))).toBeNull();
    const removed = running(partitioned(20, 4, 16));
    expect(ownerChange({ ...removed, policy: { ...removed.policy, canary: null } })).toBeNull();
  });

  test("pods are not counted before the controller has observed the partition", () => {
    const { rollout, canary } = partitioned(20, 19, 16);
    expect(ownerChange(running({ rollout, canary: { ...canary, generation: 9 } }))).toBeNull();
  });

  test("the first step is written again with its size, and its measurements stay", () => {
    const scaled = running(partitioned(20, 4, 16));
    expect(recordStep(scaled, canaryInFlight, after(5))).toEqual({
      canary: { image: canaryInFlight.target.image, size: one },
    });
    expect(recordStep(running(partitioned(5, 4, 1)), canaryInFlight, after(5))).toBeNull();
  });
});

test("a changed pod template begins again at the first step, with no measurement", () => {
  const change = recordStep(running({ rollout: edited }), canaryInFlight, after(5));
  expect(change).toMatchObject({
    canary: { size: one, isRestart: true },
    canaryProgress: { step: 1, since: after(5), waitsFor: "Replicas" },
    analysis: null,
  });
});

test("a canary is neither judged nor promoted before it follows", () => {
  const unready = { ...canaryPods, readyReplicas: 0 };
  const late = running({ rollout: edited, canary: unready });
  expect(assessCanary(late, canaryInFlight, after(99))).toMatchObject({
    kind: "ready",
    reason: expect.stringContaining("begins again"),
  });
  expect(assessCanary({ ...late, policy: { ...policy, optIn: "no" } }, canaryInFlight, after(99)).kind).toBe("expired");
  const eighthStep = running({ canaryProgress: eighth, canary: unready });
  expect(assessCanary(eighthStep, canaryInFlight, after(99))).toMatchObject({ kind: "ready" });
  expect(promotionObstacle(running({ canaryProgress: eighth }), canaryInFlight)).toContain("begins again");
  expect(promotionObstacle(running({ rollout: edited }), canaryInFlight)).toContain("begins again");
  expect(promotionObstacle(running({ rollout: edited, verdict: "promote" }), canaryInFlight)).toBeNull();
});
