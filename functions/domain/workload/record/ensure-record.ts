import type { Change } from "../update/change.ts";
import type { Workload } from "../workload.ts";
import type { UpdateEvent } from "../event/update-event.ts";

/**
 * The changes and events of a poll for a workload that it does not update; `change` is null if there is nothing to
 * write.
 */
export interface CheckRecord {
  readonly change: Change | null;
  readonly events: readonly UpdateEvent[];
}

/**
 * Creates the AutoUpdate of a workload that opted in, or becomes the owner of one that was restored without; deletes that of one that
 * opted out, and writes what a change of its spec means for its conditions. Without its CRD nothing can be written, and an event would be repeated
 * at every poll.
 */
export function ensureRecord(workload: Workload, { change, events }: CheckRecord): CheckRecord {
  const { record, policy, inFlight, isCanaryLeft } = workload;
  if (record.state === "unavailable") return { change: null, events: [] };
  if (policy.optIn === "no" && inFlight === null && record.isManaged) {
    const isKept = record.resourceVersion === null || isCanaryLeft;
    return { change: isKept ? null : { deleteRecord: true }, events: [] };
  }
  if (record.isOwnerless) return { change: { ...change, ownsRecord: true }, events };
  return { change: change ?? (record.state === "observed" ? null : {}), events };
}
