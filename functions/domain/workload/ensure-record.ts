import { annotations } from "./annotations.ts";
import type { Change } from "./change.ts";
import type { UpdateEvent } from "./events.ts";
import type { Workload } from "./workload.ts";

/**
 * The changes and events of a poll for a workload that it does not update; `change` is null if there is nothing to
 * write.
 */
export interface CheckRecord {
  readonly change: Change | null;
  readonly events: readonly UpdateEvent[];
}

/**
 * Creates the AutoUpdate of a workload that opted in, deletes that of one that opted out, and writes what a
 * change of its spec means for its conditions. Without its CRD nothing can be written, and an event would be repeated
 * at every poll.
 */
export function ensureRecord(workload: Workload, { change, events }: CheckRecord): CheckRecord {
  const { record, policy, inFlight, isCanaryLeft } = workload;
  if (record.state === "unavailable") return { change: null, events: [] };
  if (!policy.enabled && inFlight === null && record.isManaged) {
    const isKept = record.resourceVersion === null || isCanaryLeft || isOptInUnclear(workload);
    return { change: isKept ? null : { deleteRecord: true }, events: [] };
  }
  return { change: change ?? (record.state === "observed" ? null : {}), events };
}

/** Reports whether a value neither opts in nor out: a mistake must not delete the failed versions. */
function isOptInUnclear({ problems }: Workload): boolean {
  return problems.some((problem) => problem.startsWith(`${annotations.autoUpdate} `));
}
