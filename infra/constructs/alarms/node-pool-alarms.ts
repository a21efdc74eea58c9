import { Duration } from "aws-cdk-lib";
import { type Alarm, type IMetric, MathExpression, Metric, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import type { StateMachine } from "aws-cdk-lib/aws-stepfunctions";
import { Construct } from "constructs";
import type { ClusterConfig } from "../../config/schema.ts";
import { failedExecutions, pawlMetric } from "./metrics.ts";
import { createAlarm, type AlarmRule, type AlarmTarget } from "./alarm.ts";

export interface NodePoolAlarmsProps {
  readonly cluster: ClusterConfig;
  readonly machine: StateMachine;
  readonly target: AlarmTarget;
}

const period = Duration.minutes(5);
const quarterHour = Duration.minutes(15);

/** The alarms of the node pools of one cluster that need manual action. */
export class NodePoolAlarms extends Construct {
  /** A rollout was ended by an error, its timeout or a person. Rolls back the deployment of a new state machine. */
  readonly rolloutsFailed: Alarm;

  constructor(scope: Construct, id: string, { cluster, machine, target }: NodePoolAlarmsProps) {
    super(scope, id);
    const alarm = (rule: Omit<AlarmRule, "subject">) => createAlarm(this, target, { subject: cluster.name, ...rule });
    // Between two polls there is no data, and the last known state still applies.
    const treatMissingData = TreatMissingData.IGNORE;

    this.rolloutsFailed = alarm({ name: "rollouts-failed", metric: failedRollouts(cluster, machine), threshold: 1 });
    // Every poll for 15 minutes must report one, so a temporary state, such as a reboot, raises no alarm.
    alarm({
      name: "node-pool-degraded",
      metric: pawlMetric(cluster, "pawl_node_pools_degraded", "Minimum", quarterHour),
      threshold: 1,
      treatMissingData,
    });
    alarm({
      name: "rollout-halted",
      metric: pawlMetric(cluster, "pawl_node_pools_halted", "Maximum", period),
      threshold: 1,
      treatMissingData,
    });
    alarm({
      name: "drain-slow",
      metric: pawlMetric(cluster, "pawl_drains_slow", "Maximum", period),
      threshold: 1,
      treatMissingData,
    });
  }
}

/** Excludes halted rollouts, which fail by design. */
function failedRollouts(cluster: ClusterConfig, machine: StateMachine): IMetric {
  return new MathExpression({
    expression: "FILL(broken, 0) + FILL(timedOut, 0) + FILL(aborted, 0)",
    usingMetrics: {
      broken: new Metric({ ...failedExecutions(cluster, "node-pool-rollout"), statistic: "Sum", period }),
      timedOut: machine.metricTimedOut({ period, statistic: "Sum" }),
      aborted: machine.metricAborted({ period, statistic: "Sum" }),
    },
    label: "failed rollouts",
    period,
  });
}
