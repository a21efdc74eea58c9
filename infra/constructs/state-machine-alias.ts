import { CfnDeletionPolicy } from "aws-cdk-lib";
import type { Alarm } from "aws-cdk-lib/aws-cloudwatch";
import { CfnStateMachineAlias, CfnStateMachineVersion, type StateMachine } from "aws-cdk-lib/aws-stepfunctions";
import { Construct } from "constructs";
import { live } from "./resource-names.ts";

export interface StateMachineAliasProps {
  readonly machine: StateMachine;
  /** The deployment is rolled back if one of these is raised during it. */
  readonly rollbackAlarms: readonly Alarm[];
}

const canaryPercent = 10;
const canaryMinutes = 10;

/**
 * The alias `live` of a machine. A new version receives every tenth execution for ten minutes. If an alarm is raised
 * meanwhile, CloudFormation rolls back to the previous version. Executions in flight keep the version they started with.
 */
export class StateMachineAlias extends Construct {
  constructor(scope: Construct, id: string, { machine, rollbackAlarms }: StateMachineAliasProps) {
    super(scope, id);
    const version = new CfnStateMachineVersion(this, "Version", {
      stateMachineArn: machine.stateMachineArn,
      stateMachineRevisionId: machine.stateMachineRevisionId,
    });
    version.cfnOptions.deletionPolicy = CfnDeletionPolicy.RETAIN;
    version.cfnOptions.updateReplacePolicy = CfnDeletionPolicy.RETAIN;
    new CfnStateMachineAlias(this, "Alias", {
      name: live,
      deploymentPreference: {
        stateMachineVersionArn: version.attrArn,
        type: "CANARY",
        percentage: canaryPercent,
        interval: canaryMinutes,
        alarms: rollbackAlarms.map((alarm) => alarm.alarmName),
      },
    });
  }
}
