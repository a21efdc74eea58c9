import { rollbacksCell } from "../../output/cells.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import { stateOf } from "../../workloads/state.ts";
import { statusOf } from "../../workloads/status.ts";
import type { WorkloadRow } from "../model.ts";

/** Returns the row of the table of workloads. */
export function rowOf(workload: Workload): WorkloadRow {
  const status = statusOf(workload);
  const { kind, namespace, name, running, current, available, circuit, rollbacks, maxRollbacks, lastUpdate } = status;
  return {
    key: status.workload,
    kind,
    namespace,
    name,
    current: running ?? current,
    available,
    ...stateOf(status),
    circuit,
    rollbacks: rollbacksCell(rollbacks, maxRollbacks),
    changedAt: lastUpdate,
  };
}
