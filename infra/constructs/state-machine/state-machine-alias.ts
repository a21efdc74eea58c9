import { CfnDeletionPolicy } from "aws-cdk-lib";
import type { Alarm } from "aws-cdk-lib/aws-cloudwatch";
import { CfnStateMachineAlias, CfnStateMachineVersion, type StateMachine } from "aws-cdk-lib/aws-stepfunctions";
import { Construct } from "constructs";
import type { PollConfig, SharedConfig } from "../../config/schema.ts";
import { longestGapSeconds } from "../../config/schedule/schedule-gaps.ts";
import { live } from "../resource-names.ts";

export interface StateMachineAliasProps {
  readonly machine: StateMachine;
  readonly poll: PollConfig;
  readonly deployments: SharedConfig["deployments"];
  /** A gradual deployment is rolled back if one of these is raised during it. */
  readonly rollbackAlarms: readonly Alarm[];
}

/** A cluster often has a handful of executions a day: the polls are the better evidence, and they run the new code from the start. */
const canaryPercent = 50;
const minMinutes = 10;
const maxMinutes = 30;

/**
 * The alias `live` of a machine. A new version, with the code that it names, receives every second execution for two polls. If an alarm is
 * raised meanwhile, CloudFormation rolls back to the previous version. Executions in flight keep the version they started with.
 */
export class StateMachineAlias extends Construct {
  constructor(scope: Construct, id: string, { machine, poll, deployments, rollbackAlarms }: StateMachineAliasProps) {
    super(scope, id);
    const version = new CfnStateMachineVersion(this, "Version", {
      stateMachineArn: machine.stateMachineArn,
      stateMachineRevisionId: machine.stateMachineRevisionId,
    });
    version.cfnOptions.deletionPolicy = CfnDeletionPolicy.RETAIN;
    version.cfnOptions.updateReplacePolicy = CfnDeletionPolicy.RETAIN;
    const gradual = {
      type: "CANARY",
      percentage: canaryPercent,
      interval: canaryMinutes(poll),
      alarms: rollbackAlarms.map((alarm) => alarm.alarmName),
    };
    new CfnStateMachineAlias(this, "Alias", {
      name: live,
      deploymentPreference: {
        stateMachineVersionArn: version.attrArn,
        ...(deployments === "gradual" ? gradual : { type: "ALL_AT_ONCE" }),
      },
    });
  }
}

/** Returns the time of two polls, and of the alarm after them, within limits. */
function canaryMinutes({ expression, timeZone }: PollConfig): number {
  const gapMinutes = Math.ceil((longestGapSeconds(expression, timeZone) ?? 0) / 60);
  return Math.min(Math.max(2 * gapMinutes + 5, minMinutes), maxMinutes);
}
