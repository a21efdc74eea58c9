import { Duration } from "aws-cdk-lib";
import { MathExpression, TreatMissingData, type Alarm, type IMetric } from "aws-cdk-lib/aws-cloudwatch";
import type { IAlias } from "aws-cdk-lib/aws-lambda";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import type { StateMachine } from "aws-cdk-lib/aws-stepfunctions";
import { Metric } from "aws-cdk-lib/aws-cloudwatch";
import { Construct } from "constructs";
import type { ClusterConfig } from "../config/schema.ts";
import { computeHeartbeat } from "./heartbeat.ts";
import { failedExecutions, pawlMetric } from "./metrics.ts";
import { createAlarm, type AlarmRule, type AlarmTarget } from "./alarm.ts";

export interface ClusterAlarmsProps {
  readonly cluster: ClusterConfig;
  readonly machine: StateMachine;
  readonly poll: IAlias;
  readonly deadLetters: IQueue;
  readonly target: AlarmTarget;
}

const period = Duration.minutes(5);

/** Readiness is checked once a minute, and a rollback takes a few minutes: an update is often this late. */
const overdueSeconds = 900;

/** The alarms of one cluster that need manual action. */
export class ClusterAlarms extends Construct {
  /** An update ended in an error. Rolls back the deployment of a new state machine. */
  readonly executionsFailed: Alarm;

  constructor(scope: Construct, id: string, { cluster, machine, poll, deadLetters, target }: ClusterAlarmsProps) {
    super(scope, id);
    const { name } = cluster;
    const alarm = (rule: Omit<AlarmRule, "subject">) => createAlarm(this, target, { subject: name, ...rule });
    const failed = new Metric({ ...failedExecutions(name, "workload-update"), statistic: "Sum", period });
    // Between two polls there is no data, and the last known state still applies.
    const treatMissingData = TreatMissingData.IGNORE;

    this.executionsFailed = alarm({ name: "executions-failed", metric: failed, threshold: 1 });
    alarm({ name: "executions-timed-out", metric: machine.metricTimedOut({ period, statistic: "Sum" }), threshold: 1 });
    alarm({ name: "executions-aborted", metric: machine.metricAborted({ period, statistic: "Sum" }), threshold: 1 });
    alarm({
      name: "executions-throttled",
      metric: machine.metricThrottled({ period, statistic: "Sum" }),
      threshold: 1,
      periods: 3,
    });
    alarm({
      name: "circuit-opened",
      metric: pawlMetric(name, "claw_autoupdate_circuit_open", "Maximum", period),
      threshold: 1,
      treatMissingData,
    });
    alarm({
      name: "claim-overdue",
      metric: pawlMetric(name, "pawl_oldest_claim_overdue_seconds", "Maximum", period),
      threshold: overdueSeconds,
      treatMissingData,
    });
    alarm({ name: "poll-errors", metric: pollErrors(name, poll), threshold: 1 });
    alarm({ name: "events-lost", metric: pawlMetric(name, "pawl_events_lost_total", "Sum", period), threshold: 1 });
    alarm({
      name: "dead-letters",
      metric: deadLetters.metricApproximateNumberOfMessagesVisible({ period, statistic: "Maximum" }),
      threshold: 1,
    });
    this.#createHeartbeatAlarm(cluster, target);
  }

  #createHeartbeatAlarm(cluster: ClusterConfig, target: AlarmTarget): void {
    const heartbeat = computeHeartbeat(cluster.poll);
    if (heartbeat === null) return;
    const { periodSeconds, periods } = heartbeat;
    createAlarm(this, target, {
      name: "poll-heartbeat-missing",
      subject: cluster.name,
      metric: pawlMetric(cluster.name, "pawl_polls_total", "Sum", Duration.seconds(periodSeconds)),
      threshold: 1,
      below: true,
      periods,
      treatMissingData: TreatMissingData.BREACHING,
    });
  }
}

/** Adds crashed polls, which write no metric, and the errors that completed polls report. */
function pollErrors(cluster: string, poll: IAlias): IMetric {
  return new MathExpression({
    expression: "FILL(crashed, 0) + FILL(reported, 0)",
    usingMetrics: {
      crashed: poll.metricErrors({ period, statistic: "Sum" }),
      reported: pawlMetric(cluster, "pawl_poll_errors_total", "Sum", period),
    },
    label: "errors",
    period,
  });
}
