import type { Duration } from "aws-cdk-lib";
import { Metric, Stats } from "aws-cdk-lib/aws-cloudwatch";
import type { MachineName } from "./resource-names.ts";

/** The metrics that the functions write in the embedded metric format, with the dimension `cluster`; some have a second one. */
export type PawlMetric =
  | "claw_autoupdate_checks_total"
  | "claw_autoupdate_updates_total"
  | "claw_autoupdate_circuit_open"
  | "pawl_poll_duration_seconds"
  | "pawl_poll_errors_total"
  | "pawl_poll_unreached_total"
  | "pawl_polls_total"
  | "pawl_in_flight"
  | "pawl_oldest_claim_overdue_seconds"
  | "pawl_node_pools_degraded"
  | "pawl_node_pools_halted"
  | "pawl_node_pools_rolling"
  | "pawl_drains_slow"
  | "pawl_events_lost_total"
  | "pawl_errors_total";

export const metricNamespace = "Pawl";

export function pawlMetric(cluster: string, metricName: PawlMetric, statistic: string, period: Duration): Metric {
  return new Metric({ namespace: metricNamespace, metricName, dimensionsMap: { cluster }, statistic, period });
}

/** Returns an expression that graphs all values of a second dimension, including future ones. */
export function searchExpression(cluster: string, metricName: PawlMetric, dimension: string): string {
  const query = `{${metricNamespace},cluster,${dimension}} MetricName="${metricName}" cluster="${cluster}"`;
  return `SEARCH('${query}', '${Stats.SUM}')`;
}

const failureNamespaces = { "workload-update": "BrokenExecutions", "node-pool-rollout": "BrokenRollouts" } as const;

/** Returns the metric of executions that failed unexpectedly, from the machine's log. It has no dimensions. */
export function failedExecutions(
  cluster: string,
  machine: MachineName,
): { readonly namespace: string; readonly metricName: string } {
  return { namespace: `${metricNamespace}/${failureNamespaces[machine]}`, metricName: cluster };
}
