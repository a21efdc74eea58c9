import { expect, test } from "vitest";
import { assessReadiness } from "../../../../functions/domain/workload/update/readiness.ts";
import { failUpdate, isPodHealthJudged, judgePods } from "../../../../functions/domain/workload/update/judge-pods.ts";
import type { InFlight } from "../../../../functions/domain/workload/update/in-flight.ts";
import { afterSeconds, observedPod, pods } from "../../../support/observed-pods.ts";
import { problemsOf } from "../../../support/problems.ts";
import { rollbackOf } from "../../../support/rollback.ts";
import {
  canaryInFlight,
  canaryWorkload,
  completeRollout,
  inFlight,
  policy,
  workload,
} from "../../../support/workloads.ts";

const own = { ...workload().record, resourceVersion: null, state: "observed" as const };
const rolling = rollbackOf(inFlight, { revertedAt: afterSeconds(300) });

test.for([
  { of: "an update", subject: workload(), isJudged: true },
  { of: "its rollback", subject: workload(), claim: rolling, isJudged: true },
  { of: "one that is not applied", subject: workload(), claim: { ...inFlight, isApplied: false }, isJudged: false },
  { of: "a Claw", subject: workload({ failsWithoutPods: true }), isJudged: false },
  { of: "a StatefulCanary", subject: workload({ record: own }), isJudged: true },
  { of: "its rollback", subject: workload({ record: own }), claim: rolling, isJudged: true },
  { of: "a workload that opted out", subject: workload({ policy: { ...policy, optIn: "no" } }), isJudged: false },
  { of: "a CronJob", subject: workload({ rollout: { ...completeRollout, podsPer: "job" } }), isJudged: false },
  { of: "a workload without pods", subject: workload({ rollout: null }), isJudged: false },
  {
    of: "one of which none is updated",
    subject: workload({ rollout: { ...completeRollout, updatedReplicas: 0 } }),
    isJudged: false,
  },
  { of: "a canary", subject: canaryWorkload(), claim: canaryInFlight, isJudged: true },
  { of: "a canary that is deleted", subject: canaryWorkload({ canary: null }), claim: canaryInFlight, isJudged: false },
  { of: "a promoted one", subject: canaryWorkload({ verdict: "promote" }), claim: canaryInFlight, isJudged: false },
  { of: "an aborted one", subject: canaryWorkload({ verdict: "abort" }), claim: canaryInFlight, isJudged: false },
])("the pods of $of are judged: $isJudged", ({ subject, claim = inFlight, isJudged }) => {
  expect(isPodHealthJudged(subject, claim as InFlight)).toBe(isJudged);
});

const late = { isReady: false, readyChangedAt: afterSeconds(0) };
const health = { readyUntil: afterSeconds(0), pods: [] };
const exited = { exits: 4 };

test.for([
  { when: "a pod exits too often", seen: exited, kind: "exits" },
  {
    when: "its owner allows that",
    seen: exited,
    subject: workload({ policy: { ...policy, maxRestarts: 4 } }),
    kind: undefined,
  },
  { when: "a setting is invalid", seen: exited, subject: workload({ problems: problemsOf("x") }), kind: undefined },
  {
    when: "its owner has paused it",
    seen: exited,
    subject: workload({ rollout: { ...completeRollout, isPaused: true } }),
    kind: undefined,
  },
  {
    when: "its start is unknown",
    seen: exited,
    claim: { ...inFlight, startedAt: "malformed" as const },
    kind: undefined,
  },
  { when: "a pod is late", seen: late, at: 601, kind: "late" },
  {
    when: "a pod has to be ready for a time",
    seen: late,
    subject: workload({ rollout: { ...completeRollout, minReadySeconds: 60 } }),
    at: 660,
    kind: undefined,
  },
  { when: "as long as that after it was restored", seen: late, claim: rolling, at: 900, kind: undefined },
  { when: "longer after it was restored", seen: late, claim: rolling, at: 901, kind: "late" },
  {
    when: "as many pods of a DaemonSet were unavailable before",
    seen: late,
    subject: workload({ rollout: { ...completeRollout, podsPer: "node" as const } }),
    claim: { ...inFlight, unavailableBefore: 1 },
    at: 601,
    kind: undefined,
  },
  {
    when: "no pod of a DaemonSet was",
    seen: late,
    subject: workload({ rollout: { ...completeRollout, podsPer: "node" as const } }),
    at: 601,
    kind: "late",
  },
  {
    when: "a pod of a canary exits too often",
    seen: exited,
    subject: canaryWorkload(),
    claim: canaryInFlight,
    kind: "exits",
  },
])("if $when: $kind", ({ seen, subject = workload(), claim = inFlight, at = 60, kind }) => {
  expect(judgePods(subject, { ...claim, health }, pods(seen), afterSeconds(at))?.kind).toBe(kind);
});

const evidence = [{ pod: "web-0", cause: observedPod({ exits: 4 }).cause }];
const failure = { kind: "exits", reason: "exited 4 times", evidence } as const;
const failing = "1 of 3 pods failing: web-0 (web) exit 1 (4 restarts)";

test.for([
  { readiness: { kind: "ready" }, kind: "fail", reason: `exited 4 times; ${failing}` },
  { readiness: { kind: "progressing", reason: "1 of 3" }, kind: "fail", reason: `exited 4 times; ${failing}` },
  {
    readiness: { kind: "roll", reason: "pod web-1 is next" },
    late: true,
    kind: "expired",
    reason: `exited 4 times: pod web-1 is next; ${failing}`,
  },
  { readiness: { kind: "ready" }, late: true, kind: "expired", reason: `exited 4 times; ${failing}` },
  { readiness: { kind: "waiting", reason: "paused" }, kind: "waiting", reason: "paused" },
  { readiness: { kind: "not-started", reason: "no pod" }, kind: "not-started", reason: "no pod" },
])("an update that is $readiness.kind is $kind if a pod has failed", ({ readiness, late: isLate, kind, reason }) => {
  const found = isLate ? { ...failure, kind: "late" as const } : failure;
  expect(failUpdate(readiness, workload(), found, [])).toEqual({ kind, reason });
});

test("a pod that is late has the reason of an update that is late", () => {
  const rollout = { ...completeRollout, updatedReplicas: 1, oldReplicas: 3 };
  const failed = { ...failure, kind: "late", reason: "not ready after 600 s" } as const;
  const progressing = assessReadiness(rollout, workload(), inFlight, afterSeconds(600), { evidence });
  const byCounts = assessReadiness(rollout, workload(), inFlight, afterSeconds(601), { evidence });
  expect(failUpdate(progressing, workload({ rollout }), failed, [])).toEqual(byCounts);
});

test("of a canary, its own pods are counted", () => {
  const canary = { ...completeRollout, desiredReplicas: 2 };
  const { reason } = failUpdate({ kind: "ready" }, canaryWorkload({ canary }), failure, []) as { reason: string };
  expect(reason).toContain("; 1 of 2 pods failing: ");
});

test("it is not blamed if pods of the version before it fail too", () => {
  expect(failUpdate({ kind: "ready" }, workload(), failure, evidence).kind).toBe("unproven");
});

test("it is withdrawn if its owner has changed the pod template", () => {
  const rollout = { ...completeRollout, isTemplateEdited: true } as const;
  expect(failUpdate({ kind: "ready" }, workload({ rollout }), failure, []).kind).toBe("withdraw");
});
