import { describe, expect, test } from "vitest";
import { assessCanary } from "../../../../functions/domain/workload/canary/canary.ts";
import { ownerChange, stableSurplus } from "../../../../functions/domain/workload/canary/follow.ts";
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

const baseline = "sameAge" as const;
const compared = { baseline, analysis: "errors" };

const edited = { ...completeRollout, isTemplateEdited: true } as const;
const paused = { ...edited, isPaused: true } as const;

/** Of steps that were longer than these. */
const eighth = { ...(beginStep({ ...policy, canary: one }, 1, noon) as CanaryProgress), step: 8, plan: "1, 2, 3" };

describe("what its owner has changed", () => {
  test.for([
    { when: "nothing was changed", parts: {}, kind: undefined },
    { when: "the pod template was changed", parts: { rollout: edited }, kind: "restart" },
    { when: "its steps were changed", parts: { canaryProgress: eighth }, kind: "edited" },
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

describe("a canary of its own follows the replicas of its workload", () => {
  test.for([
    { added: "has its size", size: one, replicas: 5, has: 1, reason: undefined },
    { added: "grows back", size: { ...one, amount: 4 }, replicas: 5, has: 2, reason: "the canary has 4, not 2" },
    { added: "is a percentage of them", size: percent, replicas: 21, has: 1, reason: "the canary has 5, not 1" },
    { added: "ends with the last of them", size: one, replicas: 0, has: 1, reason: "the canary has 0, not 1" },
    { added: "stays without them", size: one, replicas: 0, has: 0, reason: undefined },
  ])("one that is added $added", ({ size, replicas, has, reason }) => {
    const canary = { ...canaryPods, desiredReplicas: has, addedTo: replicas };
    const rollout = { ...completeRollout, desiredReplicas: replicas };
    const changed = ownerChange(running({ size, rollout, canary }));
    expect(changed).toEqual(
      reason === undefined ? null : { kind: "resize", reason: `scaled to ${replicas} replicas: ${reason}` },
    );
  });

  test.for([
    {
      baseline: "is missing",
      has: undefined,
      replicas: 5,
      reason: "the baseline has 1 replicas, as its canary, not 0",
    },
    { baseline: "has another size", has: 2, replicas: 5, reason: "the baseline has 1 replicas, as its canary, not 2" },
    { baseline: "has its size", has: 1, replicas: 5, reason: undefined },
    { baseline: "is not asked for", has: undefined, replicas: 5, asked: {}, reason: undefined },
    { baseline: "has no analysis", has: undefined, replicas: 5, asked: { baseline }, reason: undefined },
  ] as const)("one whose baseline $baseline: $reason", ({ has, replicas, reason, asked = compared }) => {
    const replicasOf = (count: number) => ({ desiredReplicas: count, readyReplicas: count });
    const canary = { ...canaryPods, addedTo: replicas, ...(has === undefined ? {} : { baseline: replicasOf(has) }) };
    const rollout = { ...completeRollout, desiredReplicas: replicas };
    const own = { ...policy, canary: one, ...asked };
    const changed = ownerChange(running({ rollout, canary, policy: own }));
    expect(changed).toEqual(reason === undefined ? null : { kind: "resize", reason });
  });

  test.for([
    { paused: "gives up what is too many", size: percent, replicas: 10, has: 3, kind: "resize" },
    { paused: "ends with the last replica", size: one, replicas: 0, has: 1, kind: "resize" },
    { paused: "does not grow", size: percent, replicas: 10, has: 1, kind: "wait" },
    { paused: "waits with its size", size: percent, replicas: 10, has: 2, kind: "wait" },
  ])("one of a Deployment that is paused $paused", ({ size, replicas, has, kind }) => {
    const canary = { ...canaryPods, desiredReplicas: has, addedTo: replicas };
    const rollout = { ...completeRollout, desiredReplicas: replicas, isPaused: true } as const;
    const scaled = running({ size, rollout, canary });
    expect(ownerChange(scaled)?.kind).toBe(kind);
    const written = { canary: { image: canaryInFlight.target.image, size } };
    expect(recordStep(scaled, canaryInFlight, after(5))).toEqual(kind === "resize" ? written : null);
    const withdrawn = { ...scaled, policy: { ...scaled.policy, canary: null } };
    expect(ownerChange(withdrawn)?.kind).toBe("wait");
  });

  test.for([
    { replicas: 0, kind: "withdraw" },
    { replicas: 5, kind: undefined },
  ])("one without steps any more beside $replicas replicas: $kind", ({ replicas, kind }) => {
    const canary = { ...canaryPods, addedTo: replicas };
    const rollout = { ...completeRollout, desiredReplicas: replicas };
    expect(ownerChange(running({ policy, rollout, canary }))?.kind).toBe(kind);
  });

  const ready = { ...canaryPods, desiredReplicas: 1, updatedReplicas: 1, readyReplicas: 1 };
  test.for([
    {
      shares: "with as many stable ones as it leaves",
      total: 3,
      stable: 2,
      canary: ready,
      change: null,
      surplus: null,
    },
    { shares: "with more", total: 3, stable: 3, canary: ready, change: null, surplus: "2 replicas stay stable, not 3" },
    {
      shares: "with more, before it is updated",
      total: 3,
      stable: 3,
      canary: { ...ready, updatedReplicas: 0 },
      change: null,
      surplus: null,
    },
    {
      shares: "with more, before it is observed",
      total: 3,
      stable: 3,
      canary: { ...ready, generation: 9 },
      change: null,
      surplus: null,
    },
    { shares: "with fewer", total: 4, stable: 2, canary: ready, change: "1 of them are of the canary", surplus: null },
    {
      shares: "of which it has too many",
      total: 3,
      stable: 2,
      canary: { ...ready, desiredReplicas: 2 },
      change: "1 of them are of the canary",
      surplus: null,
    },
  ])("one that shares them $shares", ({ total, stable, canary, change, surplus }) => {
    const rollout = { ...completeRollout, desiredReplicas: stable };
    const shared = running({ rollout, canary: { ...canary, sharedReplicas: total } });
    expect(ownerChange(shared)?.reason).toEqual(change === null ? undefined : `scaled to ${total} replicas: ${change}`);
    expect(stableSurplus(shared)?.reason).toEqual(surplus === null ? undefined : `the canary is ready: ${surplus}`);
  });

  test("a canary that shares nothing, or of no size, gives up nothing", () => {
    expect(stableSurplus(running())).toBeNull();
    expect(stableSurplus(running({ canary: { ...ready, sharedReplicas: 3 }, rollout: null }))).toBeNull();
    const removed = running({ canary: { ...ready, sharedReplicas: 3 } });
    expect(stableSurplus({ ...removed, policy: { ...removed.policy, canary: null } })).toBeNull();
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

  test("pods are not counted before the controller has observed the partition", () => {
    const { rollout, canary } = partitioned(20, 19, 16);
    expect(ownerChange(running({ rollout, canary: { ...canary, generation: 9 } }))).toBeNull();
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
