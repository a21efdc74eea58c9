import type { InFlight } from "../update/in-flight.ts";
import type { BackOff, Workload } from "../workload.ts";
import { mayOpenCircuit } from "../event/lost-events.ts";
import type { Target } from "../target/target.ts";
import type { Change } from "../update/change.ts";
import { isCancelled, isOutcomeRecorded, recordedRevert } from "../update/completion.ts";
import { recordRollback, recordWithdrawal, resumeRollback } from "./rollback.ts";

/** The verdicts that say nothing about the version, and why it is tried again. */
const withdrawalReasons: Readonly<Record<string, BackOff["reason"]>> = {
  withdraw: "Withdrawn",
  "not-started": "NotStarted",
  // The hook before a promotion.
  "no-result": "HookFailed",
  // The function of its state is not deployed any more.
  disabled: "HookFailed",
};

/** Returns the change that reverts an update after this verdict; null if it is written already. */
export function planRevert(
  workload: Workload,
  inFlight: InFlight,
  verdict: string,
  reason: string,
  now: Date,
): Change | null {
  if (inFlight.phase === "rollback") {
    const isUnwritten = inFlight.isApplied === false && inFlight.release === undefined;
    return isUnwritten ? resumeRollback(workload, inFlight, now) : null;
  }
  const isWithdrawn = recordedRevert(workload.updateRecord, inFlight) === "Withdrawn";
  const withdrawal = withdrawalReasons[verdict] ?? (isWithdrawn ? "Withdrawn" : null);
  return withdrawal === null
    ? recordRollback(workload, inFlight, reason, now, verdict === "abort")
    : recordWithdrawal(workload, inFlight, withdrawal, reason, now);
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
  if (isOutcomeRecorded(workload, target, "Withdrawn")) return "withdrawn";
  if (isOutcomeRecorded(workload, target, "RollbackFailed")) return "circuit-tripped";
  if (!isOutcomeRecorded(workload, target, "RolledBack") && !isCancelled(workload, target)) return null;
  const isOpened = circuitOpen && last !== undefined && mayOpenCircuit(last);
  return workload.policy.optIn !== "no" && isOpened ? "circuit-tripped" : "rolled-back";
}
