import { rollbacksCell } from "../../output/cells.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import { statusOf } from "../../workloads/status.ts";
import type { WorkloadRow } from "../model.ts";

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
  };
}
