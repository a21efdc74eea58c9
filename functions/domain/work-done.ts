import { versionOf } from "./image-reference.ts";
import type { Bookkeeping, HistoryStatus, InFlight, Workload } from "./workload.ts";

/** Whether this very attempt stands in the history as rolled back: its counters were written, its marks not yet taken away. */
export function isCounted(bookkeeping: Bookkeeping, inFlight: InFlight): boolean {
  const last = bookkeeping.versionHistory.at(-1);
  if (last === undefined || last.status !== "RolledBack" || last.version !== versionOf(inFlight.targetImage))
    return false;
  return inFlight.startedAt === "malformed" || last.appliedAt.getTime() === inFlight.startedAt.getTime();
}

/** Whether an update to `image` has come to this end and left its marks: a repeated step finds its own work done. */
export function isRecorded(workload: Workload, image: string, status: HistoryStatus): boolean {
  const last = workload.bookkeeping.versionHistory.at(-1);
  return workload.inFlight === null && last?.version === versionOf(image) && last.status === status;
}

/** An update that its owner switched off leaves nothing in the history: all that is left is that it is no longer there. */
export function isCancelled({ policy, inFlight, image: now }: Workload, image: string): boolean {
  return !policy.enabled && inFlight === null && now !== image;
}
