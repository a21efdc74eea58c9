import { versionOf } from "../image/reference.ts";
import type { UpdateRecord, HistoryStatus, InFlight, Workload } from "./workload.ts";

/**
 * Returns how the history has this attempt as reverted: its counters were written, and its claim not yet released. null
 * if it does not.
 */
export function recordedRevert(
  updateRecord: UpdateRecord,
  inFlight: InFlight,
): Exclude<HistoryStatus, "Healthy" | "HookFailed"> | null {
  const last = updateRecord.versionHistory.at(-1);
  if (
    last === undefined ||
    last.status === "Healthy" ||
    last.status === "HookFailed" ||
    last.version !== versionOf(inFlight.targetImage)
  )
    return null;
  const { startedAt } = inFlight;
  return startedAt === "malformed" || last.appliedAt.getTime() === startedAt.getTime() ? last.status : null;
}

/**
 * Reports whether an update to `image` ended with `status` and released its claim: a repeated step finds its own work
 * done.
 */
export function isOutcomeRecorded(workload: Workload, image: string, status: HistoryStatus): boolean {
  const last = workload.updateRecord.versionHistory.at(-1);
  return workload.inFlight === null && last?.version === versionOf(image) && last.status === status;
}

/** Returns the execution and the reason that the last entry of the history has for a reverted attempt; null if it has none. */
export function recordedAttempt(
  { updateRecord }: Workload,
  image: string,
): { readonly execution: string; readonly reason: string } | null {
  const { version, status, execution, reason } = updateRecord.versionHistory.at(-1) ?? {};
  const isRecorded = version === versionOf(image) && status !== "Healthy";
  return isRecorded && execution !== undefined && reason !== undefined ? { execution, reason } : null;
}

/** Reports whether an update that its owner disabled was reverted; it leaves nothing in the history. */
export function isCancelled({ policy, inFlight, image: now }: Workload, image: string): boolean {
  return !policy.enabled && inFlight === null && now !== image;
}
