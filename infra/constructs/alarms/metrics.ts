import type { Duration } from "aws-cdk-lib";
import { Metric, Stats } from "aws-cdk-lib/aws-cloudwatch";
import { metricNamespace } from "../../config/metric-namespace.ts";
import type { MachineName, NameScope } from "../resource-names.ts";

/** The metrics that the functions write in the embedded metric format, with the dimension `cluster`; some have a second one. */
export type PawlMetric =
  | "claw_autoupdate_checks_total"
  | "claw_autoupdate_updates_total"
  | "claw_autoupdate_circuit_open"
  | "pawl_poll_duration_seconds"
  | "pawl_poll_errors_total"
  | "pawl_workload_errors_total"
  | "pawl_poll_unreached_total"
  | "pawl_poll_quarantined_total"
  | "pawl_polls_total"
  | "pawl_in_flight"
  | "pawl_oldest_claim_overdue_seconds"
  | "pawl_trusted_root_age_days"
  | "pawl_node_pools_degraded"
  | "pawl_node_pools_halted"
  | "pawl_node_pools_rolling"
  | "pawl_drains_slow"
  | "pawl_events_lost_total"
  | "pawl_errors_total";

export function pawlMetric(cluster: NameScope, metricName: PawlMetric, statistic: string, period: Duration): Metric {
  const dimensionsMap = { cluster: String(cluster.name) };
  return new Metric({ namespace: metricNamespace(cluster), metricName, dimensionsMap, statistic, period });
}

/** Returns an expression that graphs all values of a second dimension, including future ones. */
export function searchExpression(cluster: NameScope, metricName: PawlMetric, dimension: string): string {
  const query = `{${metricNamespace(cluster)},cluster,${dimension}} MetricName="${metricName}" cluster="${cluster.name}"`;
  return `SEARCH('${query}', '${Stats.SUM}')`;
}

const failureNamespaces = {
  "workload-update": "BrokenExecutions",
  "node-pool-rollout": "BrokenRollouts",
  "poll-fanout": "BrokenPolls",
} as const satisfies Readonly<Record<MachineName, string>>;

/** Returns the metric of executions that failed unexpectedly, from the machine's log. It has no dimensions. */
export function failedExecutions(
  cluster: NameScope,
  machine: MachineName,
): { readonly namespace: string; readonly metricName: string } {
  return { namespace: `${metricNamespace(cluster)}/${failureNamespaces[machine]}`, metricName: String(cluster.name) };
}
