import { Duration } from "aws-cdk-lib";
import { MathExpression, TreatMissingData, type Alarm, type IMetric } from "aws-cdk-lib/aws-cloudwatch";
import type { IAlias } from "aws-cdk-lib/aws-lambda";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import type { StateMachine } from "aws-cdk-lib/aws-stepfunctions";
import { Metric } from "aws-cdk-lib/aws-cloudwatch";
import { Construct } from "constructs";
import type { ClusterConfig } from "../config-shape.ts";
import { heartbeatOf } from "./heartbeat.ts";
import { brokenExecutions, pawlMetric } from "./metrics.ts";
import { pawlAlarm, type AlarmRule, type AlarmTarget } from "./pawl-alarm.ts";

export interface ClusterAlarmsProps {
  readonly cluster: ClusterConfig;
  readonly machine: StateMachine;
  readonly poll: IAlias;
  readonly deadLetters: IQueue;
  readonly target: AlarmTarget;
}

const period = Duration.minutes(5);

/** A readiness check comes once a minute, and a rollback takes a few: so much is an update late in the ordinary course. */
const overdueSeconds = 900;

/** Everything that a person should be woken for on one cluster. */
export class ClusterAlarms extends Construct {
  /** An update ended in an error: what guards the deployment of a new machine. */
  readonly executionsFailed: Alarm;

  constructor(scope: Construct, id: string, { cluster, machine, poll, deadLetters, target }: ClusterAlarmsProps) {
    super(scope, id);
    const { name } = cluster;
    const alarm = (rule: Omit<AlarmRule, "about">) => pawlAlarm(this, target, { about: name, ...rule });
    const broken = new Metric({ ...brokenExecutions(name, "workload-update"), statistic: "Sum", period });
    // Between two polls nothing is known, and what was known last still holds.
    const missing = TreatMissingData.IGNORE;

    this.executionsFailed = alarm({ name: "executions-failed", metric: broken, threshold: 1 });
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
      missing,
    });
    alarm({
      name: "claim-overdue",
      metric: pawlMetric(name, "pawl_oldest_claim_overdue_seconds", "Maximum", period),
      threshold: overdueSeconds,
      missing,
    });
    alarm({ name: "poll-errors", metric: pollErrors(name, poll), threshold: 1 });
    alarm({
      name: "dead-letters",
      metric: deadLetters.metricApproximateNumberOfMessagesVisible({ period, statistic: "Maximum" }),
      threshold: 1,
    });
    this.#heartbeat(cluster, target);
  }

  #heartbeat(cluster: ClusterConfig, target: AlarmTarget): void {
    const heartbeat = heartbeatOf(cluster.poll);
    if (heartbeat === null) return;
    const { periodSeconds, periods } = heartbeat;
    pawlAlarm(this, target, {
      name: "poll-heartbeat-missing",
      about: cluster.name,
      metric: pawlMetric(cluster.name, "pawl_polls_total", "Sum", Duration.seconds(periodSeconds)),
      threshold: 1,
      below: true,
      periods,
      missing: TreatMissingData.BREACHING,
    });
  }
}

/** A poll that crashed counts nothing of its own, and one that got through does not fail. */
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
