import { Alarm, ComparisonOperator, TreatMissingData, type IMetric } from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import type { Construct } from "constructs";
import { alarmMeanings, type AlarmName, firstActions } from "./alarm-names.ts";

/** The topic that receives the alarms, and the runbook that they link to. */
export interface AlarmTarget {
  readonly prefix: string;
  readonly topic: ITopic;
  readonly runbookUrl: string;
}

export interface AlarmRule {
  readonly name: AlarmName;
  /** Part of the alarm's name: a cluster, or `notifications`. */
  readonly subject: string;
  readonly metric: IMetric;
  /** The alarm is raised at this value or above; with `below`, below it. */
  readonly threshold: number;
  readonly below?: boolean;
  readonly periods?: number;
  /** How many of the periods must breach; all by default. */
  readonly datapoints?: number;
  /** How missing data is treated: not breaching by default. */
  readonly treatMissingData?: TreatMissingData;
}

/** Creates an alarm named `<prefix>-<subject>-<name>` that says what to do, and links to its section of the runbook. */
export function createAlarm(scope: Construct, { prefix, topic, runbookUrl }: AlarmTarget, rule: AlarmRule): Alarm {
  const { name, subject, metric, threshold, below = false, periods = 1 } = rule;
  const deployment = `${prefix}-${subject}`;
  const action = firstActions[name].replaceAll("{deployment}", () => deployment);
  const alarm = new Alarm(scope, name, {
    alarmName: `${deployment}-${name}`,
    alarmDescription: `${alarmMeanings[name]} ${action} ${runbookUrl}#${name}`,
    metric,
    threshold,
    evaluationPeriods: periods,
    datapointsToAlarm: rule.datapoints ?? periods,
    comparisonOperator: below
      ? ComparisonOperator.LESS_THAN_THRESHOLD
      : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    treatMissingData: rule.treatMissingData ?? TreatMissingData.NOT_BREACHING,
  });
  alarm.addAlarmAction(new SnsAction(topic));
  return alarm;
}
