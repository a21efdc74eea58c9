import { Duration } from "aws-cdk-lib";
import { Dashboard, GraphWidget, MathExpression, SingleValueWidget, TextWidget } from "aws-cdk-lib/aws-cloudwatch";
import type { IMetric, IWidget } from "aws-cdk-lib/aws-cloudwatch";
import { Construct } from "constructs";
import type { ClusterConfig } from "../../config/schema.ts";
import { pawlMetric, searchExpression } from "./metrics.ts";

export interface PawlDashboardsProps {
  /** Unique in the account: the names of dashboards have no region. */
  readonly name: string;
  readonly runbookUrl: string;
}

export type DashboardCluster = Pick<ClusterConfig, "prefix" | "name"> & { readonly nodePools: object | null };

const period = Duration.minutes(5);
const third = { width: 8, height: 6 } as const;

/** A dashboard has at most 500 widgets. */
const maxClusters = 40;

/** A dashboard with a section for each cluster: updates in flight, results of updates, health of the polls. There is one per 40 clusters. */
export class PawlDashboards extends Construct {
  readonly #props: PawlDashboardsProps;
  #count = 0;
  #last: Dashboard | null = null;

  constructor(scope: Construct, id: string, props: PawlDashboardsProps) {
    super(scope, id);
    this.#props = props;
  }

  add(cluster: DashboardCluster): void {
    const { name, runbookUrl } = this.#props;
    const number = Math.floor(this.#count / maxClusters) + 1;
    if (this.#last === null || this.#count % maxClusters === 0) {
      const suffix = number === 1 ? "" : `-${number}`;
      this.#last = new Dashboard(this, `Dashboard${suffix}`, { dashboardName: `${name}${suffix}` });
    }
    this.#count += 1;
    const pools = cluster.nodePools === null ? [] : poolWidgetsOf(cluster);
    this.#last.addWidgets(...sectionOf(cluster, runbookUrl), ...pools);
  }
}

function sectionOf(cluster: DashboardCluster, runbookUrl: string): IWidget[] {
  return [
    new TextWidget({ width: 24, height: 1, markdown: `## ${cluster.name}: [runbook](${runbookUrl})` }),
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
      total(cluster, "pawl_poll_quarantined_total", "in quarantine"),
      total(cluster, "pawl_events_lost_total", "events lost"),
      total(cluster, "claw_autoupdate_checks_total", "workloads checked"),
    ]),
  ];
}

function poolWidgetsOf(cluster: DashboardCluster): IWidget[] {
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

function latest(cluster: DashboardCluster, name: Parameters<typeof pawlMetric>[1], label: string): IMetric {
  return pawlMetric(cluster, name, "Maximum", period).with({ label });
}

function total(cluster: DashboardCluster, name: Parameters<typeof pawlMetric>[1], label: string): IMetric {
  return pawlMetric(cluster, name, "Sum", period).with({ label });
}

function search(cluster: DashboardCluster, name: Parameters<typeof pawlMetric>[1], dimension: string): IMetric {
  return new MathExpression({
    expression: searchExpression(cluster, name, dimension),
    usingMetrics: {},
    label: "",
    period,
  });
}

/** Counts up while no poll completes, and returns to 0 when one does. */
function minutesWithoutPoll(cluster: DashboardCluster): IMetric {
  const usingMetrics = { polls: pawlMetric(cluster, "pawl_polls_total", "Sum", period) };
  const expression = `TIME_SERIES(${period.toMinutes()}) * (FILL(polls, 0) < 1)`;
  return new MathExpression({ expression, usingMetrics, label: "minutes", period });
}
