import { Duration } from "aws-cdk-lib";
import type { Metric, MetricOptions } from "aws-cdk-lib/aws-cloudwatch";
import { Grant, type IGrantable } from "aws-cdk-lib/aws-iam";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import type { IStateMachine } from "aws-cdk-lib/aws-stepfunctions";
import { Construct } from "constructs";
import { parseProps } from "./config/parse-props.ts";
import { configSchema, gitOf } from "./config/schema.ts";
import { ManagedCluster } from "./constructs/managed-cluster.ts";
import { type PawlMetric, pawlMetric } from "./constructs/alarms/metrics.ts";
import { applyAccountRules } from "./constructs/permissions/account-rules.ts";
import type { NameScope } from "./constructs/resource-names.ts";
import type { IPawl } from "./pawl.ts";
import type { ClusterProps } from "./props/cluster.ts";

export interface PawlClusterProps extends ClusterProps {
  /** The resources that all clusters share: a `Pawl`, or `Pawl.fromSettings`. */
  readonly pawl: IPawl;
}

/**
 * Everything that updates the workloads of one cluster: schedule, functions, state machines, alarms, and access to the cluster. It refers
 * to the shared resources by their names, so that its stack can be deployed and deleted without those of other clusters.
 *
 * @example
 * const stack = new Stack(app, "pawl-production");
 * const eks = { clusterName: "production", region: "eu-central-1" };
 * const production = new PawlCluster(stack, "Production", { pawl, name: "production", eks });
 * production.grantStartExecution(role);
 */
export class PawlCluster extends Construct {
  /** The state machine `workload-update`: each update is one of its executions. */
  readonly stateMachine: IStateMachine;
  /** The function that polls the registries, by the alias that its schedule invokes. */
  readonly poll: IFunction;
  /** Receives events and schedules that could not be delivered, and the events of failed polls. */
  readonly deadLetters: IQueue;

  readonly #name: NameScope;

  constructor(scope: Construct, id: string, { pawl, ...props }: PawlClusterProps) {
    super(scope, id);
    const git = gitOf(props.name, pawl.settings.git);
    const { clusters, ...shared } = parseProps(configSchema, { ...pawl.settings, git, clusters: [props] });
    const cluster = { ...clusters[0]!, prefix: shared.prefix, verify: shared.verify, git: shared.git };
    this.#name = cluster;
    applyAccountRules(this, shared);
    const resources = new ManagedCluster(this, "Default", { cluster, shared });
    this.stateMachine = resources.machine;
    this.poll = resources.poll;
    this.deadLetters = resources.deadLetters;
    pawl.addCluster(this, cluster);
  }

  /** Lets a principal start a poll: invoke `poll` with `{"cluster": NAME}`. */
  grantPoll(grantee: IGrantable): Grant {
    return this.poll.grantInvoke(grantee);
  }

  /** Lets a principal start updates without a poll. Pawl checks again in each step if an update is allowed. */
  grantStartExecution(grantee: IGrantable): Grant {
    const resourceArns = [this.stateMachine.stateMachineArn];
    return Grant.addToPrincipal({ grantee, actions: ["states:StartExecution"], resourceArns });
  }

  /** Lets a principal list and read the executions of updates. */
  grantReadExecutions(grantee: IGrantable): Grant {
    return this.stateMachine.grantRead(grantee);
  }

  /** Updates that ended, successful or rolled back: the sum of five minutes by default. */
  metricUpdates(result: "success" | "rollback", options: MetricOptions = {}): Metric {
    const metric = this.#metric("claw_autoupdate_updates_total", "Sum", options);
    return metric.with({ dimensionsMap: { cluster: String(this.#name.name), result } });
  }

  /** Updates in progress: the maximum of five minutes by default. */
  metricUpdatesInFlight(options: MetricOptions = {}): Metric {
    return this.#metric("pawl_in_flight", "Maximum", options);
  }

  /** Workloads whose circuit is open: the maximum of five minutes by default. */
  metricOpenCircuits(options: MetricOptions = {}): Metric {
    return this.#metric("claw_autoupdate_circuit_open", "Maximum", options);
  }

  /** Polls that completed: the sum of five minutes by default. */
  metricPolls(options: MetricOptions = {}): Metric {
    return this.#metric("pawl_polls_total", "Sum", options);
  }

  /** Errors that polls report: the sum of five minutes by default. */
  metricPollErrors(options: MetricOptions = {}): Metric {
    return this.#metric("pawl_poll_errors_total", "Sum", options);
  }

  /** Seconds that a poll took: the maximum of five minutes by default. */
  metricPollDuration(options: MetricOptions = {}): Metric {
    return this.#metric("pawl_poll_duration_seconds", "Maximum", options);
  }

  #metric(name: PawlMetric, statistic: string, options: MetricOptions): Metric {
    return pawlMetric(this.#name, name, statistic, Duration.minutes(5)).with(options).attachTo(this);
  }
}
