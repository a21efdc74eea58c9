import { describe, expect, test } from "vitest";
import { planRevert, revertResult } from "../../../../functions/domain/workload/rollback/plan-revert.ts";
import type { Verdict } from "../../../../functions/domain/analysis/judge.ts";
import { measure, startAnalysis } from "../../../../functions/domain/analysis/measure.ts";
import { type AnalysisState, measurementsKept } from "../../../../functions/domain/analysis/state.ts";
import { afterSeconds, observedPod } from "../../../support/observed-pods.ts";
import { rollbackOf } from "../../../support/rollback.ts";
import {
  recordRollback,
  recordWithdrawal,
  resumeRollback,
} from "../../../../functions/domain/workload/rollback/rollback.ts";
import type { HistoryEntry } from "../../../../functions/domain/workload/workload.ts";
import {
  canaryInFlight,
  canaryWorkload,
  completeRollout,
  image,
  inFlight,
  noon,
  rollingBack,
  updateTarget,
  updatingWorkload,
  workload,
} from "../../../support/workloads.ts";

const entry: HistoryEntry = { version: "1.1.0", appliedAt: noon, status: "RolledBack" };
const withHistory = (status: HistoryEntry["status"]) => ({ updateRecord: { versionHistory: [{ ...entry, status }] } });

function measured(...given: readonly Verdict[]): AnalysisState {
  return given.reduce<AnalysisState>(
    (run, verdict) => measure(run, "errors", { verdict, value: 1, note: null }, noon),
    startAnalysis(noon),
  );
}

const passes = Array.from({ length: measurementsKept }, () => "pass" as const);

describe("planRevert", () => {
  test.for([
    ["withdraw", "Withdrawn"],
    ["not-started", "NotStarted"],
    ["no-result", "HookFailed"],
    ["disabled", "HookFailed"],
  ] as const)("after %s nothing is blamed, and it is tried again as %s", ([verdict, reason]) => {
    const change = planRevert(updatingWorkload(), inFlight, verdict, "why", noon);
    expect(change).toEqual(recordWithdrawal(updatingWorkload(), inFlight, reason, "why", noon));
    expect(change).toMatchObject({ backOff: { reason } });
  });

  test("after unproven nothing is blamed, and it counts", () => {
    const change = planRevert(updatingWorkload(), inFlight, "unproven", "why", noon);
    expect(change).toEqual(recordWithdrawal(updatingWorkload(), inFlight, "Withdrawn", "why", noon, 1));
    expect(change).toMatchObject({ updateRecord: { rollbackCount: 1 }, backOff: { reason: "Withdrawn" } });
  });

  test("after any other verdict the version is suspected", () => {
    const change = planRevert(updatingWorkload(), inFlight, "fail", "why", noon);
    expect(change).toEqual(recordRollback(updatingWorkload(), inFlight, "why", noon, false, true));
    expect(change).toMatchObject({ inFlight: { suspect: { reason: "why", wasReady: true } } });
  });

  test.for([
    { when: "no pod was read", pods: [], isSuspected: true },
    { when: "they have been ready for a minute", isSuspected: true },
    { when: "they have been ready for more than a minute", readySeconds: 61, isSuspected: false },
    {
      when: "one has been ready for less",
      readySeconds: 90,
      last: { readyChangedAt: afterSeconds(41) },
      isSuspected: true,
    },
    { when: "one is not ready", readySeconds: 90, last: { isReady: false }, isSuspected: true },
    { when: "one does not say since when", readySeconds: 90, last: { readyChangedAt: null }, isSuspected: true },
    {
      when: "one has exited since",
      readySeconds: 90,
      last: { exits: 1, exitedAt: afterSeconds(60) },
      isSuspected: true,
    },
    {
      when: "they exit every 200 s",
      readySeconds: 190,
      pod: { exits: 4, exitedAt: afterSeconds(-100), createdAt: afterSeconds(-900) },
      isSuspected: true,
    },
    {
      when: "they exited every 50 s",
      readySeconds: 190,
      pod: { exits: 4, exitedAt: afterSeconds(-100), createdAt: afterSeconds(-300) },
      isSuspected: false,
    },
    { when: "one counts no exit that it reports", readySeconds: 90, pod: { exitedAt: noon }, isSuspected: true },
    { when: "they wait for minReadySeconds", readySeconds: 90, rollout: { minReadySeconds: 90 }, isSuspected: true },
    { when: "one is missing", readySeconds: 90, rollout: { desiredReplicas: 4 }, isSuspected: true },
    { when: "nothing counts them", readySeconds: 90, rollout: null, isSuspected: true },
    { when: "a metric failed", readySeconds: 90, analysis: measured("fail"), isSuspected: true },
    {
      when: "a metric failed before the measurements that are kept",
      readySeconds: 90,
      analysis: measured("fail", ...passes),
      isSuspected: true,
    },
    {
      when: "a metric was not known",
      readySeconds: 90,
      analysis: measured("error", "inconclusive", "pass"),
      isSuspected: false,
    },
    { when: "each metric passed", readySeconds: 90, analysis: measured("pass"), isSuspected: false },
  ])("a target that had been ready is suspected if $when: $isSuspected", (each) => {
    const { readySeconds = 60, pod = {}, last = {}, analysis = null, isSuspected } = each;
    const suspect = { reason: "why", execution: "e-0", wasReady: true } as const;
    const claim = rollbackOf(inFlight, { isApplied: false, suspect });
    const rollout = each.rollout === null ? null : { ...completeRollout, ...each.rollout };
    const initial = updatingWorkload({ inFlight: claim, rollout, analysis });
    const since = afterSeconds(100 - readySeconds);
    const one = { ...observedPod({ createdAt: afterSeconds(-300) }), readyChangedAt: since, ...pod };
    const pods = each.pods ?? [one, one, { ...one, ...last }];
    const change = planRevert(initial, claim, "fail", "why", afterSeconds(100), pods);
    expect(change).toMatchObject({ image, inFlight: { phase: "rollback", isApplied: true } });
    expect(change?.inFlight?.suspect).toEqual(isSuspected ? suspect : undefined);
    expect(change?.backOff?.reason).toBe(isSuspected ? undefined : "Withdrawn");
    const unrecorded = updatingWorkload({ rollout, analysis });
    const first = planRevert(unrecorded, inFlight, "fail", "why", afterSeconds(100), pods);
    expect(first?.backOff?.reason).toBe(isSuspected ? undefined : "Withdrawn");
  });

  test.for([
    { when: "its pods are ready by now", verdict: "expired", rollout: completeRollout, isSuspected: false },
    { when: "one is not", verdict: "expired", rollout: { ...completeRollout, readyReplicas: 2 }, isSuspected: true },
    { when: "it has none", verdict: "expired", rollout: { ...completeRollout, desiredReplicas: 0 }, isSuspected: true },
    { when: "nothing counts them", verdict: "expired", rollout: null, isSuspected: true },
    {
      when: "its hook failed",
      verdict: "expired",
      rollout: completeRollout,
      hook: { stage: "post", result: "failed" } as never,
      isSuspected: true,
    },
    { when: "they are ready, and its metrics fail", verdict: "fail", rollout: completeRollout, isSuspected: true },
  ])("the version is suspected if $when: $isSuspected", ({ verdict, rollout, hook, isSuspected }) => {
    const claim = { ...inFlight, ...(hook === undefined ? {} : { hook }) };
    const change = planRevert(updatingWorkload({ rollout, inFlight: claim }), claim, verdict, "why", noon);
    const reason = "why; its pods were ready before it was reverted";
    const versionHistory = [{ status: "Withdrawn", reason }];
    expect(change).toMatchObject(
      isSuspected
        ? { inFlight: { suspect: { reason: "why" } } }
        : { updateRecord: { rollbackCount: 1, versionHistory }, backOff: { reason: "Withdrawn" } },
    );
  });

  test.for([
    { when: "the pods of the target are ready by now", rollout: completeRollout, isSuspected: false },
    { when: "one is not", rollout: { ...completeRollout, readyReplicas: 2 }, isSuspected: true },
  ])("a rollback that was recorded and not written suspects the target if $when: $isSuspected", (each) => {
    const suspect = { reason: "why", execution: "e-0" };
    const claim = rollbackOf(inFlight, { isApplied: false, suspect });
    const initial = updatingWorkload({ inFlight: claim, rollout: each.rollout });
    const change = planRevert(initial, claim, "expired", "interrupted", noon);
    expect(change).toMatchObject({ image, inFlight: { phase: "rollback", isApplied: true } });
    expect(change?.inFlight?.suspect).toEqual(each.isSuspected ? suspect : undefined);
    const reason = "why; its pods were ready before it was reverted";
    const versionHistory = [{ status: "Withdrawn", reason, execution: "e-0" }];
    expect(change).toMatchObject(each.isSuspected ? {} : { updateRecord: { rollbackCount: 1, versionHistory } });
  });

  test("a Claw has no control: it is blamed at once", () => {
    const claw = updatingWorkload({ failsWithoutPods: true });
    expect(planRevert(claw, inFlight, "expired", "why", noon)).toEqual(recordRollback(claw, inFlight, "why", noon));
  });

  test("after an abort it is not counted", () => {
    const change = planRevert(canaryWorkload(), canaryInFlight, "abort", "why", noon);
    expect(change).toEqual(recordRollback(canaryWorkload(), canaryInFlight, "why", noon, true));
    expect(change).toMatchObject({ updateRecord: { rollbackCount: 0 } });
  });

  test("what is recorded as withdrawn stays so, whatever the verdict of a repeated step", () => {
    const initial = updatingWorkload(withHistory("Withdrawn"));
    const change = planRevert(initial, inFlight, "expired", "why", noon);
    expect(change).toEqual(recordWithdrawal(initial, inFlight, "Withdrawn", "why", noon));
  });

  test.for([
    { when: "its image was not restored", claim: { ...rollingBack, isApplied: false }, isResumed: true },
    { when: "its image was restored", claim: rollingBack, isResumed: false },
    {
      when: "it restores a release",
      claim: { ...rollingBack, isApplied: false, release: { number: 1 } as never },
      isResumed: false,
    },
  ])("a recorded rollback is resumed if $when: $isResumed", ({ claim, isResumed }) => {
    const initial = updatingWorkload({ inFlight: claim });
    const change = planRevert(initial, claim, "expired", "why", noon);
    expect(change).toEqual(isResumed ? resumeRollback(initial, claim, noon) : null);
  });
});

describe("revertResult", () => {
  const opened = { updateRecord: { circuitOpen: true, versionHistory: [entry] } };

  test.for([
    { when: "there is no history", parts: {}, result: null },
    { when: "it succeeded", parts: withHistory("Healthy"), result: null },
    { when: "it was withdrawn", parts: withHistory("Withdrawn"), result: "withdrawn" },
    { when: "its rollback failed", parts: withHistory("RollbackFailed"), result: "circuit-tripped" },
    { when: "it was rolled back", parts: withHistory("RolledBack"), result: "rolled-back" },
    {
      when: "and its claim is not released",
      parts: { ...withHistory("RolledBack"), inFlight: rollingBack },
      result: "rolled-back",
    },
    { when: "another update is in flight", parts: { ...withHistory("RolledBack"), inFlight }, result: null },
    { when: "the circuit is open since", parts: opened, result: "circuit-tripped" },
    { when: "its owner opted out", parts: { ...opened, policy: { optIn: "no" } }, result: "rolled-back" },
    { when: "its owner cancelled it", parts: { policy: { optIn: "no" } }, result: "rolled-back" },
    {
      when: "the circuit is open, and a release failed",
      parts: { updateRecord: { circuitOpen: true, versionHistory: [{ ...entry, release: 2 }] } },
      result: "rolled-back",
    },
  ] as const)("if $when: $result", ({ parts, result }) => {
    expect(revertResult(workload(parts), updateTarget)).toBe(result);
  });
});
