import { Duration } from "aws-cdk-lib";
import { type Alarm, type IMetric, MathExpression, Metric, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import type { StateMachine } from "aws-cdk-lib/aws-stepfunctions";
import { Construct } from "constructs";
import { brokenExecutions, pawlMetric } from "./metrics.ts";
import { pawlAlarm, type AlarmRule, type AlarmTarget } from "./pawl-alarm.ts";

export interface NodePoolAlarmsProps {
  /** The cluster's name. */
  readonly cluster: string;
  readonly machine: StateMachine;
  readonly target: AlarmTarget;
}

const period = Duration.minutes(5);
const quarter = Duration.minutes(15);

/** Everything that a person should be woken for on the node pools of one cluster. */
export class NodePoolAlarms extends Construct {
  /** A rollout was broken off: what guards the deployment of a new machine. */
  readonly rolloutsFailed: Alarm;

  constructor(scope: Construct, id: string, { cluster, machine, target }: NodePoolAlarmsProps) {
    super(scope, id);
    const alarm = (rule: Omit<AlarmRule, "about">) => pawlAlarm(this, target, { about: cluster, ...rule });
    // Between two polls nothing is known, and what was known last still holds.
    const missing = TreatMissingData.IGNORE;

    this.rolloutsFailed = alarm({ name: "rollouts-failed", metric: brokenOff(cluster, machine), threshold: 1 });
    // At no poll of a quarter of an hour was none: it does not alarm about what mends itself, such as a reboot.
    alarm({
      name: "node-pool-degraded",
      metric: pawlMetric(cluster, "pawl_node_pools_degraded", "Minimum", quarter),
      threshold: 1,
      missing,
    });
    alarm({
      name: "rollout-halted",
      metric: pawlMetric(cluster, "pawl_node_pools_halted", "Maximum", period),
      threshold: 1,
      missing,
    });
    alarm({
      name: "drain-slow",
      metric: pawlMetric(cluster, "pawl_drains_slow", "Maximum", period),
      threshold: 1,
      missing,
    });
  }
}

/** A rollout that is halted has failed as well, by design, and is no part of it. */
function brokenOff(cluster: string, machine: StateMachine): IMetric {
  return new MathExpression({
    expression: "FILL(broken, 0) + FILL(timedOut, 0) + FILL(aborted, 0)",
    usingMetrics: {
      broken: new Metric({ ...brokenExecutions(cluster, "node-pool-rollout"), statistic: "Sum", period }),
      timedOut: machine.metricTimedOut({ period, statistic: "Sum" }),
      aborted: machine.metricAborted({ period, statistic: "Sum" }),
    },
    label: "rollouts broken off",
    period,
  });
}
