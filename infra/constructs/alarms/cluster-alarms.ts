import { Duration } from "aws-cdk-lib";
import { type CfnAlarm, MathExpression, TreatMissingData, type Alarm, type IMetric } from "aws-cdk-lib/aws-cloudwatch";
import type { IAlias } from "aws-cdk-lib/aws-lambda";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import type { StateMachine } from "aws-cdk-lib/aws-stepfunctions";
import { Metric } from "aws-cdk-lib/aws-cloudwatch";
import { Construct } from "constructs";
import type { ClusterConfig, PollConfig } from "../../config/schema.ts";
import { maxRootDays, oldestRootDate } from "../../config/compile-verify.ts";
import { shortestGapSeconds } from "../../config/schedule/schedule-gaps.ts";
import { computeHeartbeat, pollsInHours } from "./heartbeat.ts";
import { failedExecutions, pawlMetric } from "./metrics.ts";
import { createAlarm, type AlarmRule, type AlarmTarget } from "./alarm.ts";

export interface ClusterAlarmsProps {
  readonly cluster: ClusterConfig;
  readonly machine: StateMachine;
  /** `poll-fanout`. */
  readonly fanOut: StateMachine;
  readonly poll: IAlias;
  readonly deadLetters: IQueue;
  readonly target: AlarmTarget;
}

const period = Duration.minutes(5);

/** Readiness is checked once a minute, and a rollback takes a few minutes: an update is often this late. */
const overdueSeconds = 900;

/** The alarms of one cluster that need manual action. */
export class ClusterAlarms extends Construct {
  /** Those that are evidence against new code: they roll back its gradual deployment. */
  readonly ofDeployments: readonly Alarm[];

  constructor(scope: Construct, id: string, props: ClusterAlarmsProps) {
    super(scope, id);
    const { cluster, machine, poll, deadLetters, target } = props;
    const { name } = cluster;
    const alarm = (rule: Omit<AlarmRule, "subject">) => createAlarm(this, target, { subject: name, ...rule });
    const failed = new Metric({ ...failedExecutions(cluster, "workload-update"), statistic: "Sum", period });
    // Between two polls there is no data, and the last known state still applies.
    const treatMissingData = TreatMissingData.IGNORE;

    const executionsFailed = alarm({ name: "executions-failed", metric: failed, threshold: 1 });
    const codeErrors = alarm({ name: "code-errors", metric: errorsOfCode(cluster, poll), threshold: 1 });
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
      metric: pawlMetric(cluster, "claw_autoupdate_circuit_open", "Maximum", period),
      threshold: 1,
      treatMissingData,
    });
    alarm({
      name: "claim-overdue",
      metric: pawlMetric(cluster, "pawl_oldest_claim_overdue_seconds", "Maximum", period),
      threshold: overdueSeconds,
      treatMissingData,
    });
    // A registry that does not answer once is no reason to act.
    const pollsFailed = alarm({
      name: "poll-errors",
      metric: pollErrors(props),
      threshold: 1,
      ...pollErrorPeriods(cluster.poll),
    });
    this.ofDeployments = [executionsFailed, codeErrors, pollsFailed];
    alarm({ name: "events-lost", metric: pawlMetric(cluster, "pawl_events_lost_total", "Sum", period), threshold: 1 });
    alarm({
      name: "dead-letters",
      metric: deadLetters.metricApproximateNumberOfMessagesVisible({ period, statistic: "Maximum" }),
      threshold: 1,
    });
    if (oldestRootDate(cluster.verify) !== null)
      alarm({
        name: "trusted-root-old",
        metric: pawlMetric(cluster, "pawl_trusted_root_age_days", "Maximum", period),
        threshold: maxRootDays + 1,
        treatMissingData,
      });
    this.#createHeartbeatAlarm(cluster, target);
  }

  #createHeartbeatAlarm(cluster: ClusterConfig, target: AlarmTarget): void {
    const heartbeat = computeHeartbeat(cluster.poll);
    if (heartbeat === null) return;
    const { periodSeconds, periods, hours } = heartbeat;
    const polls = pawlMetric(cluster, "pawl_polls_total", "Sum", Duration.seconds(periodSeconds));
    const expression = hours === null ? null : pollsInHours(hours);
    const alarm = createAlarm(this, target, {
      name: "poll-heartbeat-missing",
      subject: cluster.name,
      metric:
        expression === null
          ? polls
          : new MathExpression({ expression, usingMetrics: { polls }, label: "polls", period: Duration.hours(1) }),
      threshold: 1,
      below: true,
      periods,
      treatMissingData: TreatMissingData.BREACHING,
    });
    // A period that slides would begin in an hour with polls and end in one without.
    if (hours !== null)
      (alarm.node.defaultChild as CfnAlarm).evaluationWindow = { wallClockWindow: { timezone: "UTC" } };
  }
}

/** Adds crashed polls, and the errors of any function that only a mistake in its code causes. */
function errorsOfCode(cluster: ClusterConfig, poll: IAlias): IMetric {
  const named = (error: string) =>
    pawlMetric(cluster, "pawl_errors_total", "Sum", period).with({ dimensionsMap: { cluster: cluster.name, error } });
  return new MathExpression({
    expression: "FILL(crashed, 0) + FILL(types, 0) + FILL(references, 0)",
    usingMetrics: {
      crashed: poll.metricErrors({ period, statistic: "Sum" }),
      types: named("TypeError"),
      references: named("ReferenceError"),
    },
    label: "errors of code",
    period,
  });
}

/**
 * Adds crashed polls, also in batches, which write no metric, and the errors that completed polls report, without those of single
 * workloads. A period has a poll, so that several periods are several polls.
 */
function pollErrors({ cluster, poll, fanOut }: ClusterAlarmsProps): IMetric {
  const ofPoll = Duration.seconds(pollPeriodSeconds(cluster.poll));
  const sum = { period: ofPoll, statistic: "Sum" };
  return new MathExpression({
    expression: "FILL(crashed, 0) + FILL(broken, 0) + FILL(timedOut, 0) + FILL(aborted, 0) + FILL(reported, 0)",
    usingMetrics: {
      crashed: poll.metricErrors(sum),
      broken: new Metric({ ...failedExecutions(cluster, "poll-fanout"), ...sum }),
      timedOut: fanOut.metricTimedOut(sum),
      aborted: fanOut.metricAborted(sum),
      reported: pawlMetric(cluster, "pawl_poll_errors_total", "Sum", ofPoll),
    },
    label: "errors",
    period: ofPoll,
  });
}

/** Two of three polls, or one if the next one is due after more than a day. */
function pollErrorPeriods({ expression }: PollConfig): Pick<AlarmRule, "periods" | "datapoints"> {
  const isRare = (shortestGapSeconds(expression) ?? 0) > Duration.days(1).toSeconds();
  return isRare ? {} : { periods: 3, datapoints: 2 };
}

/** Returns the interval of the polls, from five minutes to a day. */
function pollPeriodSeconds({ expression }: PollConfig): number {
  const regular = shortestGapSeconds(expression) ?? 0;
  return Math.min(Math.max(Math.ceil(regular / 60) * 60, period.toSeconds()), Duration.days(1).toSeconds());
}
