import { Duration } from "aws-cdk-lib";
import { Dashboard, GraphWidget, MathExpression, SingleValueWidget, TextWidget } from "aws-cdk-lib/aws-cloudwatch";
import type { IMetric, IWidget } from "aws-cdk-lib/aws-cloudwatch";
import { Construct } from "constructs";
import type { ClusterConfig } from "../config/schema.ts";
import { pawlMetric, searchExpression } from "./metrics.ts";

export interface PawlDashboardProps {
  /** Each cluster has a section. */
  readonly clusters: readonly Pick<ClusterConfig, "name" | "nodePools">[];
  readonly runbookUrl: string;
}

const period = Duration.minutes(5);
const third = { width: 8, height: 6 } as const;

/** One dashboard for all clusters: updates in flight, results of updates, health of the polls. */
export class PawlDashboard extends Construct {
  constructor(scope: Construct, id: string, { clusters, runbookUrl }: PawlDashboardProps) {
    super(scope, id);
    new Dashboard(this, "Dashboard", {
      dashboardName: "pawl",
      widgets: clusters.map(({ name, nodePools }) => [
        ...sectionOf(name, runbookUrl),
        ...(nodePools === null ? [] : poolWidgetsOf(name)),
      ]),
    });
  }
}

function sectionOf(cluster: string, runbookUrl: string): IWidget[] {
  return [
    new TextWidget({ width: 24, height: 1, markdown: `## ${cluster}: [runbook](${runbookUrl})` }),
    new SingleValueWidget({
      ...third,
      title: "Now",
      metrics: [
        latest(cluster, "pawl_in_flight", "in flight"),
        latest(cluster, "claw_autoupdate_circuit_open", "open circuits"),
        latest(cluster, "pawl_oldest_claim_overdue_seconds", "oldest claim overdue, seconds"),
      ],
    }),
    graph("Updates by result", [search(cluster, "claw_autoupdate_updates_total", "result")]),
    graph("Errors by kind", [search(cluster, "pawl_errors_total", "error")]),
    graph("Duration of a poll, seconds", [
      pawlMetric(cluster, "pawl_poll_duration_seconds", "Maximum", period).with({ label: "longest" }),
    ]),
    graph("Age: minutes without a poll", [minutesWithoutPoll(cluster)]),
    graph("Polls and checks", [
      total(cluster, "pawl_polls_total", "polls"),
      total(cluster, "pawl_poll_errors_total", "errors"),
      total(cluster, "pawl_poll_unreached_total", "not evaluated"),
      total(cluster, "pawl_events_lost_total", "events lost"),
      total(cluster, "claw_autoupdate_checks_total", "workloads checked"),
    ]),
  ];
}

function poolWidgetsOf(cluster: string): IWidget[] {
  const pools = [
    latest(cluster, "pawl_node_pools_rolling", "rolling out"),
    latest(cluster, "pawl_node_pools_degraded", "degraded"),
    latest(cluster, "pawl_node_pools_halted", "halted"),
  ];
  const drains = [latest(cluster, "pawl_drains_slow", "slow drains")];
  return [
    new SingleValueWidget({ ...third, title: "Node pools now", metrics: [...pools, ...drains] }),
    graph("Node pools", pools),
    graph("Slow drains", drains),
  ];
}

function graph(title: string, left: IMetric[]): IWidget {
  return new GraphWidget({ ...third, title, left });
}

function latest(cluster: string, name: Parameters<typeof pawlMetric>[1], label: string): IMetric {
  return pawlMetric(cluster, name, "Maximum", period).with({ label });
}

function total(cluster: string, name: Parameters<typeof pawlMetric>[1], label: string): IMetric {
  return pawlMetric(cluster, name, "Sum", period).with({ label });
}

function search(cluster: string, name: Parameters<typeof pawlMetric>[1], dimension: string): IMetric {
  return new MathExpression({
    expression: searchExpression(cluster, name, dimension),
    usingMetrics: {},
    label: "",
    period,
  });
}

/** Counts up while no poll completes, and returns to 0 when one does. */
function minutesWithoutPoll(cluster: string): IMetric {
  const usingMetrics = { polls: pawlMetric(cluster, "pawl_polls_total", "Sum", period) };
  const expression = `TIME_SERIES(${period.toMinutes()}) * (FILL(polls, 0) < 1)`;
  return new MathExpression({ expression, usingMetrics, label: "minutes", period });
}
