import { formatRfc3339, parseRfc3339 } from "../../../../domain/text/rfc3339.ts";
import { truncate } from "../../../../domain/text/summarize-list.ts";
import { parseHistoryStatus } from "../../../../domain/workload/record/history.ts";
import { targetKinds } from "../../../../domain/workload/target/target.ts";
import type { HistoryEntry } from "../../../../domain/workload/workload.ts";
import type { HistoryStatusEntry } from "./status-fields.ts";

const maxReasonLength = 256;

/** Reads an entry of the history; none if its start is no time. */
export function readHistoryEntry(entry: HistoryStatusEntry): readonly HistoryEntry[] {
  const appliedAt = parseRfc3339(entry.startedAt);
  if (appliedAt === null) return [];
  const { image, previousImage, execution, reason, release } = entry;
  const finishedAt = parseRfc3339(entry.finishedAt ?? "");
  return [
    {
      ...readVersion(entry),
      appliedAt,
      status: parseHistoryStatus(entry.result),
      ...(image === undefined ? {} : { image }),
      ...(previousImage === undefined ? {} : { previousImage }),
      ...(finishedAt === null ? {} : { finishedAt }),
      ...(reason === undefined ? {} : { reason }),
      ...(execution === undefined ? {} : { execution }),
      ...(release === undefined ? {} : { release }),
    },
  ];
}

/** Returns version and kind of an entry. An unknown kind is left out. */
export function readVersion({
  version,
  kind,
}: Pick<HistoryStatusEntry, "version" | "kind">): Pick<HistoryEntry, "version" | "kind"> {
  const known = targetKinds.find((one) => one === kind);
  return known === undefined ? { version } : { version, kind: known };
}

/** Returns an entry of the history as a status has it. */
export function toHistoryEntry({ appliedAt, status, finishedAt, reason, ...rest }: HistoryEntry): HistoryStatusEntry {
  return {
    ...rest,
    startedAt: formatRfc3339(appliedAt),
    result: status,
    ...(finishedAt === undefined ? {} : { finishedAt: formatRfc3339(finishedAt) }),
    ...(reason === undefined ? {} : { reason: truncate(reason, maxReasonLength) }),
  };
}
