import { imageOfTarget, versionOfTarget } from "../target/target.ts";
import type { InFlight } from "../update/in-flight.ts";
import type { HistoryEntry, HistoryStatus, UpdateRecord } from "../workload.ts";

const maxHistoryEntries = 50;

/** Appends to the history and keeps the newest 50 entries. */
export function appendHistory(updateRecord: UpdateRecord, entry: HistoryEntry): readonly HistoryEntry[] {
  const { versionHistory } = updateRecord;
  const last = versionHistory.at(-1);
  const isRepeated =
    last !== undefined && last.version === entry.version && last.status === entry.status && isSameTime(last, entry);
  return isRepeated ? versionHistory : [...versionHistory, entry].slice(-maxHistoryEntries);
}

/** Parses how an update ended. A value that no version of Pawl writes must not pass for a success. */
export function parseHistoryStatus(text: string): HistoryStatus {
  return statuses.find((status) => status === text) ?? "RolledBack";
}

const statuses = [
  "Healthy",
  "Withdrawn",
  "HookFailed",
  "RollbackFailed",
  "Superseded",
] as const satisfies readonly HistoryStatus[];

type HistoricUpdate = Pick<InFlight, "startedAt" | "target" | "execution" | "release" | "previousImage">;

/** Returns the history entry of a finished update; `now` replaces a start time that cannot be parsed. */
export function createHistoryEntry(
  { startedAt, target, execution, release, previousImage }: HistoricUpdate,
  status: HistoryStatus,
  now: Date,
  reason: string | null = null,
): HistoryEntry {
  const appliedAt = startedAt === "malformed" ? now : startedAt;
  return {
    version: versionOfTarget(target),
    kind: target.kind,
    appliedAt,
    status,
    image: imageOfTarget(target),
    ...(previousImage === null ? {} : { previousImage }),
    finishedAt: now,
    ...(reason === null ? {} : { reason }),
    ...(execution === null ? {} : { execution }),
    ...(release === undefined ? {} : { release: release.number }),
  };
}

function isSameTime(a: HistoryEntry, b: HistoryEntry): boolean {
  return a.appliedAt.getTime() === b.appliedAt.getTime();
}
