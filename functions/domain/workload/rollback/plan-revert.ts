import type { InFlight, Rollback } from "../update/in-flight.ts";
import type { BackOff, Workload } from "../workload.ts";
import { mayOpenCircuit } from "../event/lost-events.ts";
import type { Target } from "../target/target.ts";
import type { Change } from "../update/change.ts";
import { isCancelled, isOutcomeRecorded, recordedRevert } from "../update/completion.ts";
import type { ObservedPod } from "../../health/observed-pod.ts";
import { hasRecovered, hasStabilized } from "./control.ts";
import { withdrawnRecord } from "./outcome.ts";
import { recordRollback, recordWithdrawal, resumeRollback } from "./rollback.ts";

/** The verdicts that say nothing about the version, and why it is tried again. */
const withdrawalReasons: Readonly<Record<string, BackOff["reason"]>> = {
  withdraw: "Withdrawn",
  unproven: "Withdrawn",
  "not-started": "NotStarted",
  // The hook before a promotion, or after the update.
  "no-result": "HookFailed",
  // The function of its state is not deployed any more.
  disabled: "HookFailed",
};

const recovered = "its pods were ready before it was reverted";

/** Returns the change that reverts an update after this verdict; null if it is written already. `pods` are those of the target. */
export function planRevert(
  workload: Workload,
  inFlight: InFlight,
  verdict: string,
  reason: string,
  now: Date,
  pods: readonly ObservedPod[] = [],
): Change | null {
  if (inFlight.phase === "rollback") {
    const isUnwritten = inFlight.isApplied === false && inFlight.release === undefined;
    return isUnwritten ? resumeRevert(workload, inFlight, now, pods) : null;
  }
  const isWithdrawn = recordedRevert(workload.updateRecord, inFlight) === "Withdrawn";
  const withdrawal = withdrawalReasons[verdict] ?? (isWithdrawn ? "Withdrawn" : null);
  // Whether the pods of an update that a person aborts are healthy does not matter.
  const hasFailed = workload.verdict !== "abort" && (verdict === "expired" || verdict === "fail");
  if (withdrawal === null && hasFailed && isHealthyAgain(workload, inFlight, verdict === "fail", pods, now))
    return recordWithdrawal(workload, inFlight, "Withdrawn", `${reason}; ${recovered}`, now, 1);
  if (withdrawal === null)
    return recordRollback(workload, inFlight, reason, now, verdict === "abort", verdict === "fail");
  return recordWithdrawal(workload, inFlight, withdrawal, reason, now, verdict === "unproven" ? 1 : 0);
}

function isHealthyAgain(
  workload: Workload,
  inFlight: InFlight,
  wasReady: boolean,
  pods: readonly ObservedPod[],
  now: Date,
): boolean {
  return wasReady ? hasStabilized(workload, inFlight, pods, now) : hasRecovered(workload, inFlight);
}

/** Restores what a rollback recorded and did not restore. The target may be healthy by then: it is suspected no more. */
function resumeRevert(workload: Workload, inFlight: Rollback, now: Date, pods: readonly ObservedPod[]): Change {
  if (inFlight.suspect === undefined) return resumeRollback(workload, inFlight, now);
  const { wasReady = false } = inFlight.suspect;
  if (!isHealthyAgain(workload, inFlight, wasReady, pods, now)) return resumeRollback(workload, inFlight, now);
  const { suspect, ...claim } = inFlight;
  const attempt = { ...claim, execution: suspect.execution };
  return {
    ...resumeRollback(workload, claim, now),
    ...withdrawnRecord(workload, attempt, "Withdrawn", `${suspect.reason}; ${recovered}`, now, 1),
  };
}

/**
 * Returns how the update to `target` was reverted, as its record says, whether its claim is released yet or not; null if it was not.
 * A cancelled one is not in the history.
 */
export function revertResult(
  current: Workload,
  target: Target,
): "rolled-back" | "circuit-tripped" | "withdrawn" | null {
  const workload = current.inFlight?.phase === "rollback" ? { ...current, inFlight: null } : current;
  const { circuitOpen, versionHistory } = workload.updateRecord;
  const last = versionHistory.at(-1);
  if (isOutcomeRecorded(workload, target, "RollbackFailed")) return "circuit-tripped";
  const isWithdrawn = isOutcomeRecorded(workload, target, "Withdrawn");
  const isReverted = isWithdrawn || isOutcomeRecorded(workload, target, "RolledBack");
  if (!isReverted && !isCancelled(workload, target)) return null;
  const isOpened = circuitOpen && last !== undefined && mayOpenCircuit(last);
  if (workload.policy.optIn !== "no" && isOpened) return "circuit-tripped";
  return isWithdrawn ? "withdrawn" : "rolled-back";
}
