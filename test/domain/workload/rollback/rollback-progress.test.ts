import { describe, expect, test } from "vitest";
import { rollbackOf } from "../../../support/rollback.ts";
import {
  assessOperator,
  assessRollback,
  endRollback,
  failRollback,
} from "../../../../functions/domain/workload/rollback/rollback-progress.ts";
import type { HistoryEntry } from "../../../../functions/domain/workload/workload.ts";
import { observedPod } from "../../../support/observed-pods.ts";
import { digest, prod, restartInFlight, restartingWorkload } from "../../../support/digest-workloads.ts";
import { after, completeRollout, image, inFlight, noon, target, workload } from "../../../support/workloads.ts";

const rollback = rollbackOf(inFlight, { revertedAt: noon });
const moving = { ...completeRollout, image, updatedReplicas: 2, readyReplicas: 2 };
const unobserved = { ...completeRollout, image, generation: 9, observedGeneration: 8 };
const restored = workload({ rollout: moving });

describe("assessRollback", () => {
  test.for([
    { when: "its pods are replaced", initial: restored, verdict: { kind: "progressing", waitSeconds: 15 } },
    { when: "it takes longer", initial: restored, minutes: 4, verdict: { kind: "progressing", waitSeconds: 60 } },
    {
      when: "its controller has not observed it",
      initial: workload({ rollout: unobserved }),
      verdict: { kind: "progressing", reason: "the controller has not observed the change yet" },
    },
    { when: "its pods run the restored image", initial: workload(), verdict: { kind: "ready" } },
    {
      when: "as many pods of a DaemonSet are unavailable as before the update",
      initial: workload({ rollout: { ...completeRollout, image, readyReplicas: 2 } }),
      claim: { ...rollback, unavailableBefore: 1 },
      verdict: { kind: "ready" },
    },
    {
      when: "more of them are",
      initial: workload({ rollout: { ...completeRollout, image, readyReplicas: 1 } }),
      claim: { ...rollback, unavailableBefore: 1 },
      verdict: { kind: "progressing", reason: "1 of 3 replicas ready" },
    },
    {
      when: "one pod of a DaemonSet still runs the target",
      initial: workload({ rollout: { ...completeRollout, image, updatedReplicas: 2, oldReplicas: 1 } }),
      claim: { ...rollback, unavailableBefore: 1 },
      verdict: { kind: "progressing", reason: "2 of 3 replicas updated" },
    },
    { when: "nothing manages its pods", initial: workload({ rollout: null }), verdict: { kind: "progressing" } },
    { when: "they do so late", initial: workload(), minutes: 11, verdict: { kind: "ready" } },
    {
      when: "its deadline has passed",
      initial: restored,
      minutes: 11,
      verdict: { kind: "expired", reason: "1.0.0 was not ready 600 s later: 2 of 3 replicas updated" },
    },
    {
      when: "its controller never observes it",
      initial: workload({ rollout: unobserved }),
      minutes: 11,
      verdict: { kind: "expired" },
    },
    {
      when: "it is scaled to 0",
      initial: workload({ rollout: { ...unobserved, desiredReplicas: 0 } }),
      verdict: { kind: "ready" },
    },
    {
      when: "its owner has set another image since",
      initial: workload({ image: "registry.example/shop/app:hotfix", rollout: moving }),
      verdict: { kind: "ready" },
    },
    { when: "its owner has set the target again", initial: workload({ image: target }), verdict: { kind: "ready" } },
    { when: "no image is visible", initial: workload({ image: null, rollout: moving }), verdict: { kind: "ready" } },
    {
      when: "no previous image is known",
      initial: workload({ image: target, rollout: moving }),
      claim: { ...rollback, previousImage: null },
      verdict: { kind: "ready" },
    },
    {
      when: "its kind has no field for the time of a rollback",
      initial: restored,
      claim: rollbackOf(inFlight),
      verdict: { kind: "ready" },
    },
  ])("$when: $verdict.kind", ({ initial, minutes = 1, claim = rollback, verdict }) => {
    expect(assessRollback(initial, claim, after(minutes))).toMatchObject(verdict);
  });

  test.for([
    { rollsBackDigests: false, verdict: "ready" },
    { rollsBackDigests: true, verdict: "progressing" },
    { rollsBackDigests: true, optIn: "no" as const, verdict: "ready" },
    { rollsBackDigests: true, minutes: 11, verdict: "expired" },
  ])("of a restart (pinned: $rollsBackDigests): $verdict", ({ verdict, minutes = 1, ...policy }) => {
    const claim = rollbackOf(restartInFlight, { revertedAt: noon });
    const rollout = { ...moving, image: `${prod}@${digest(1)}` };
    const initial = restartingWorkload({ inFlight: claim, policy, rollout });
    expect(assessRollback(initial, claim, after(minutes)).kind).toBe(verdict);
  });
});

describe("endRollback", () => {
  const healthy: HistoryEntry = { version: "1.0.0", appliedAt: noon, status: "Healthy" };
  const failed: HistoryEntry = { version: "1.1.0", appliedAt: noon, status: "RolledBack", reason: "not ready" };
  const withHistory = (...versionHistory: readonly HistoryEntry[]) => workload({ updateRecord: { versionHistory } });

  test.for([
    { when: "the pods are ready", initial: withHistory(failed), unready: null },
    { when: "its owner had disabled it: nothing is recorded", initial: withHistory(healthy), unready: "not yet" },
    { when: "there is no history", initial: withHistory(), unready: "not yet" },
  ])("only releases the claim if $when", ({ initial, unready }) => {
    expect(endRollback(initial, rollback, unready)).toEqual({ inFlight: null });
  });

  test.for([
    { before: failed, reason: "not ready; 1.0.0 was not ready 600 s later" },
    { before: { ...failed, reason: undefined }, reason: "1.0.0 was not ready 600 s later" },
  ])(
    "records that the previous version is not ready either: $reason",
    ({ before: { reason: given, ...entry }, reason }) => {
      const last: HistoryEntry = given === undefined ? entry : { ...entry, reason: given };
      const change = endRollback(withHistory(healthy, last), rollback, "1.0.0 was not ready 600 s later");
      const conditions = [{ type: "AutoUpdateInProgress", status: "False", reason: "RolledBack", message: reason }];
      const updateRecord = { versionHistory: [healthy, { ...entry, reason }] };
      expect(change).toEqual({ inFlight: null, updateRecord, conditions });
    },
  );
});

test.for([
  { minutes: 20, verdict: { kind: "progressing", waitSeconds: 15, reason: "it has the target" } },
  { minutes: 21, verdict: { kind: "expired", reason: "it has the target" } },
])("a rollback whose operator keeps the target is $verdict.kind after $minutes minutes", ({ minutes, verdict }) => {
  expect(assessOperator(workload(), noon, "it has the target", after(minutes))).toEqual(verdict);
});

const failure = {
  kind: "exits",
  reason: "exited 4 times",
  evidence: [{ pod: "web-0", cause: observedPod({ exits: 4 }).cause }],
} as const;

test.for([
  { readiness: { kind: "ready" }, kind: "expired" },
  { readiness: { kind: "progressing" }, kind: "expired" },
  { readiness: { kind: "roll" }, kind: "roll" },
])("a rollback that is $readiness.kind is $kind if a restored pod has failed", ({ readiness, kind }) => {
  expect(failRollback(readiness, rollback, failure).kind).toBe(kind);
});

test("the reason names what was restored, and the pod", () => {
  const reason = "a pod of 1.0.0 exited 4 times; 1 pod failing: web-0 (web) exit 1 (4 restarts)";
  expect(failRollback({ kind: "ready" }, rollback, failure)).toEqual({ kind: "expired", reason });
});
