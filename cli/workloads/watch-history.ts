import { setTimeout as sleepMs } from "node:timers/promises";
import type { HistoryEntry, WorkloadRef } from "../../functions/domain/workload/workload.ts";
import type { Cluster } from "../../functions/ports/cluster.ts";
import { createInterruptSignal } from "../input/interrupt.ts";

const intervalMs = 2000;

/** Calls `onEntry` with each update that completes, until the command is interrupted. Throws the errors of the cluster. */
export async function watchHistory(
  cluster: Pick<Cluster, "read">,
  ref: WorkloadRef,
  printed: readonly HistoryEntry[],
  onEntry: (entry: HistoryEntry) => void,
): Promise<void> {
  const signal = createInterruptSignal();
  const seen = new Set(printed.map(attemptOf));
  while (!signal.aborted) {
    await sleepMs(intervalMs, undefined, { signal }).catch(() => undefined);
    const history = signal.aborted ? [] : ((await cluster.read(ref))?.updateRecord.versionHistory ?? []);
    for (const entry of history.filter((one) => !seen.has(attemptOf(one)))) {
      seen.add(attemptOf(entry));
      onEntry(entry);
    }
  }
}

/** Identifies one attempt. */
function attemptOf({ version, appliedAt }: HistoryEntry): string {
  return `${version} ${appliedAt.getTime()}`;
}
