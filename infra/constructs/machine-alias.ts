import { CfnDeletionPolicy } from "aws-cdk-lib";
import type { Alarm } from "aws-cdk-lib/aws-cloudwatch";
import { CfnStateMachineAlias, CfnStateMachineVersion, type StateMachine } from "aws-cdk-lib/aws-stepfunctions";
import { Construct } from "constructs";
import { live } from "./names.ts";

export interface MachineAliasProps {
  readonly machine: StateMachine;
  /** The deployment is taken back when one of these goes off during it. */
  readonly guardedBy: readonly Alarm[];
}

const canaryPercent = 10;
const canaryMinutes = 10;

/**
 * The alias `live` of a machine. A new definition becomes a version and gets every tenth update for ten minutes; when an
 * alarm goes off meanwhile, CloudFormation goes back to the version before. Updates in flight stay with the version that
 * they began with.
 */
export class MachineAlias extends Construct {
  constructor(scope: Construct, id: string, { machine, guardedBy }: MachineAliasProps) {
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
        alarms: guardedBy.map((alarm) => alarm.alarmName),
      },
    });
  }
}
