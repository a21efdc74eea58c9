import type { AutoUpdate } from "../../functions/adapters/kubernetes/auto-update/object.ts";
import type { Ports } from "../../functions/contract/ports.ts";
import type { WorkloadResult } from "../../functions/workflows/poll/process-workload.ts";
import { observePools } from "../node-pools/observe.ts";
import { poolStatus, type PoolStatus } from "../node-pools/status.ts";
import { poolTable } from "../node-pools/tables.ts";
import { autoUpdateTable } from "../output/printer-columns.ts";
import { resultDocument, resultTable } from "../output/result-table.ts";
import type { TableStream } from "../output/table.ts";

/** What a run ended with. */
export interface RunOutcome {
  readonly workloads: readonly WorkloadResult[];
  readonly autoUpdates: readonly AutoUpdate[];
  readonly pools: readonly PoolStatus[];
}

/** Returns the statuses of the node pools; none if they are excluded. */
export async function poolStatuses({ nodePools, nodePoolsEnabled, now }: Ports): Promise<readonly PoolStatus[]> {
  if (!nodePoolsEnabled) return [];
  return (await observePools({ nodePools, now, resolve: async () => null })).map(poolStatus);
}

export function outcomeDocument({ workloads, pools }: RunOutcome): string {
  return JSON.stringify({ kind: "result", workloads: resultDocument(workloads), nodePools: pools });
}

/** Renders what `kubectl get au` prints, and a line for each workload and node pool that has no AutoUpdate. */
export function outcomeTables({ workloads, autoUpdates, pools }: RunOutcome, stream: TableStream): string[] {
  const others = workloads.filter(({ workload }) => !hasAutoUpdate(workload));
  const isEmpty = autoUpdates.length + pools.length === 0;
  return [
    ...(autoUpdates.length > 0 ? [autoUpdateTable(autoUpdates, stream)] : []),
    ...(others.length > 0 || isEmpty ? [resultTable(others, stream)] : []),
    ...(pools.length > 0 ? [poolTable(pools, stream)] : []),
  ];
}

function hasAutoUpdate({ ref, record }: WorkloadResult["workload"]): boolean {
  return ref.kind === "AutoUpdate" || record.resourceVersion !== null;
}
