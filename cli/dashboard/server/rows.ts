import { rollbacksCell } from "../../output/cells.ts";
import { statusOf } from "../../workloads/status.ts";
import { formatRfc3339, secondsAfter, secondsBetween } from "../../../functions/domain/text/rfc3339.ts";
import type { Rollout, Workload } from "../../../functions/domain/workload/workload.ts";
import { type Progress, progressOf } from "../../workloads/progress.ts";
import type { RecentUpdate, Replicas, RowProgress, WorkloadRow } from "../model.ts";

/** Returns the row of the table of workloads. */
export function rowOf(workload: Workload, now: Date): WorkloadRow {
  const status = statusOf(workload, now);
  const {
    kind,
    namespace,
    name,
    state,
    reason,
    message,
    running,
    current,
    available,
    circuit,
    rollbacks,
    maxRollbacks,
    lastUpdate,
  } = status;
  return {
    key: status.workload,
    kind,
    namespace,
    name,
    current: running ?? current,
    available,
    state,
    reason,
    message,
    circuit,
    rollbacks: rollbacksCell(rollbacks, maxRollbacks),
    changedAt: lastUpdate,
    progress: rowProgress(workload, now),
    recent: recentUpdates(workload, now),
  };
}

const daySeconds = 86_400;

function recentUpdates({ updateRecord }: Workload, now: Date): readonly RecentUpdate[] {
  return updateRecord.versionHistory.flatMap(({ finishedAt, status }) =>
    finishedAt === undefined || secondsBetween(finishedAt, now) > daySeconds
      ? []
      : [{ at: formatRfc3339(finishedAt), isHealthy: status === "Healthy" }],
  );
}

function rowProgress(workload: Workload, now: Date): RowProgress | null {
  const { rollout, canary, inFlight } = workload;
  // The deadline of an analysis is on the page of the workload: it takes a request.
  const progress = progressOf(workload, null, now);
  if (progress === null) return null;
  const isCanary = inFlight?.phase === "canary" && canary !== null;
  const shown = isCanary ? canary : rollout;
  const replicas = shown === null ? null : replicasOf(shown);
  return { step: progress.step, ends: endOf(progress, now), replicas, isCanary };
}

/** Returns when a step ends by itself, and as what. */
export function endOf({ left }: Progress, now: Date): RowProgress["ends"] {
  return left === null ? null : { at: formatRfc3339(secondsAfter(now, left.seconds)), as: left.until };
}

export function replicasOf({ desiredReplicas, updatedReplicas, readyReplicas, oldReplicas }: Rollout): Replicas {
  return { desired: desiredReplicas, updated: updatedReplicas, available: readyReplicas, old: oldReplicas };
}
