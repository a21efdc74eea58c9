import type { Duration } from "aws-cdk-lib";
import { Metric, Stats } from "aws-cdk-lib/aws-cloudwatch";
import type { MachineName } from "./names.ts";

/** The functions write these as embedded metrics, each with the dimension `cluster`; some with one more. */
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
  | "pawl_errors_total";

export const metricNamespace = "Pawl";

export function pawlMetric(cluster: string, metricName: PawlMetric, statistic: string, period: Duration): Metric {
  return new Metric({ namespace: metricNamespace, metricName, dimensionsMap: { cluster }, statistic, period });
}

/** Every value of a second dimension in one graph, those that nobody has seen yet among them. */
export function searchFor(cluster: string, metricName: PawlMetric, dimension: string): string {
  const query = `{${metricNamespace},cluster,${dimension}} MetricName="${metricName}" cluster="${cluster}"`;
  return `SEARCH('${query}', '${Stats.SUM}')`;
}

const brokenOf = { "workload-update": "BrokenExecutions", "node-pool-rollout": "BrokenRollouts" } as const;

/** Executions that failed otherwise than by design, counted by the machine's log. A log has no dimensions to give. */
export function brokenExecutions(
  cluster: string,
  machine: MachineName,
): { readonly namespace: string; readonly metricName: string } {
  return { namespace: `${metricNamespace}/${brokenOf[machine]}`, metricName: cluster };
}
