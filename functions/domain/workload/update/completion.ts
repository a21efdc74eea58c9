import { isAsWritten } from "../../image/reference.ts";
import { isRestart, type Target, versionOfTarget } from "../target/target.ts";
import type { InFlight } from "./in-flight.ts";
import type { HistoryEntry, UpdateRecord, HistoryStatus, Workload } from "../workload.ts";

/**
 * Returns how the history has this attempt as reverted: its counters were written, and its claim not yet released. null
 * if it does not.
 */
export function recordedRevert(
  updateRecord: UpdateRecord,
  inFlight: InFlight,
): Exclude<HistoryStatus, "Healthy" | "HookFailed" | "Superseded"> | null {
  const last = updateRecord.versionHistory.at(-1);
  if (
    last === undefined ||
    last.status === "Healthy" ||
    last.status === "HookFailed" ||
    last.status === "Superseded" ||
    !isAbout(last, inFlight.target)
  )
    return null;
  const { startedAt } = inFlight;
  return startedAt === "malformed" || last.appliedAt.getTime() === startedAt.getTime() ? last.status : null;
}

/**
 * Reports whether an update to `target` ended with `status` and released its claim: a repeated step finds its own work
 * done.
 */
export function isOutcomeRecorded(workload: Workload, target: Target, status: HistoryStatus): boolean {
  const last = workload.updateRecord.versionHistory.at(-1);
  return workload.inFlight === null && last !== undefined && isAbout(last, target) && last.status === status;
}

/** Reports whether a healthy update was recorded. If its tag moved before its pods pulled it, the history has what these run. */
export function isSuccessRecorded(workload: Workload, target: Target, execution: string): boolean {
  const last = workload.updateRecord.versionHistory.at(-1);
  if (isOutcomeRecorded(workload, target, "Healthy")) return true;
  const isOwn = last?.execution === execution && last.kind === "digest" && last.status === "Healthy";
  return workload.inFlight === null && isOwn;
}

/** Reports whether an entry of the history has this target. One without a kind is not of a restart that a person asked for. */
function isAbout({ version, kind }: HistoryEntry, target: Target): boolean {
  const isOfKind = kind === undefined ? target.kind !== "restart" : kind === target.kind;
  return isOfKind && version === versionOfTarget(target);
}

/** Returns the execution and the reason that the last entry of the history has for a reverted attempt; null if it has none. */
export function recordedAttempt(
  { updateRecord }: Workload,
  target: Target,
): { readonly execution: string; readonly reason: string } | null {
  const last = updateRecord.versionHistory.at(-1);
  if (last === undefined || !isAbout(last, target) || last.status === "Healthy") return null;
  const { execution, reason } = last;
  return execution !== undefined && reason !== undefined ? { execution, reason } : null;
}

/** Reports whether an update that its owner disabled was reverted; it leaves nothing in the history. */
export function isCancelled({ policy, inFlight, image }: Workload, target: Target): boolean {
  const isRestored = isRestart(target) || !isAsWritten(image ?? "", target.image);
  return policy.optIn === "no" && inFlight === null && isRestored;
}
