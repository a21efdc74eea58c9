import { Alarm, ComparisonOperator, TreatMissingData, type IMetric } from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import type { Construct } from "constructs";
import { alarmMeanings, type AlarmName } from "./alarm-names.ts";

/** Who is told, and where they read on. */
export interface AlarmTarget {
  readonly topic: ITopic;
  readonly runbookUrl: string;
}

export interface AlarmRule {
  readonly name: AlarmName;
  /** Whom it is about, in the alarm's name: a cluster, or what the stack shares. */
  readonly about: string;
  readonly metric: IMetric;
  /** Goes off at this value or above; `below` turns that round. */
  readonly threshold: number;
  readonly below?: boolean;
  readonly periods?: number;
  /** What silence means: by default that all is well. */
  readonly missing?: TreatMissingData;
}

/** An alarm named `pawl-<about>-<name>` that links to its paragraph in the runbook. */
export function pawlAlarm(scope: Construct, { topic, runbookUrl }: AlarmTarget, rule: AlarmRule): Alarm {
  const { name, about, metric, threshold, below = false, periods = 1 } = rule;
  const alarm = new Alarm(scope, name, {
    alarmName: `pawl-${about}-${name}`,
    alarmDescription: `${alarmMeanings[name]} ${runbookUrl}#${name}`,
    metric,
    threshold,
    evaluationPeriods: periods,
    datapointsToAlarm: periods,
    comparisonOperator: below
      ? ComparisonOperator.LESS_THAN_THRESHOLD
      : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    treatMissingData: rule.missing ?? TreatMissingData.NOT_BREACHING,
  });
  alarm.addAlarmAction(new SnsAction(topic));
  return alarm;
}
