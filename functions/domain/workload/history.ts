import { versionOf } from "../image/reference.ts";
import type { HistoryEntry, HistoryStatus, InFlight, UpdateRecord } from "./workload.ts";

const maxHistoryEntries = 50;

/** Appends to the history and keeps the newest 50 entries. */
export function appendHistory(updateRecord: UpdateRecord, entry: HistoryEntry): readonly HistoryEntry[] {
  const { versionHistory } = updateRecord;
  const last = versionHistory.at(-1);
  const isRepeated =
    last !== undefined && last.version === entry.version && last.status === entry.status && isSameTime(last, entry);
  return isRepeated ? versionHistory : [...versionHistory, entry].slice(-maxHistoryEntries);
}

/** Returns the history entry of a finished update; `now` replaces a start time that cannot be parsed. */
export function createHistoryEntry(inFlight: InFlight, status: HistoryStatus, now: Date): HistoryEntry {
  const appliedAt = inFlight.startedAt === "malformed" ? now : inFlight.startedAt;
  return { version: versionOf(inFlight.targetImage), appliedAt, status };
}

function isSameTime(a: HistoryEntry, b: HistoryEntry): boolean {
  return a.appliedAt.getTime() === b.appliedAt.getTime();
}
