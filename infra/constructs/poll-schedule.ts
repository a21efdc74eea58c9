import { CfnOutput, Stack } from "aws-cdk-lib";
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { IAlias } from "aws-cdk-lib/aws-lambda";
import { CfnSchedule, type CfnScheduleGroup } from "aws-cdk-lib/aws-scheduler";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { ClusterConfig } from "../config-shape.ts";
import { deliveryOf } from "./delivery.ts";
import { windowOf } from "./spreading.ts";

export interface PollScheduleProps {
  readonly cluster: ClusterConfig;
  readonly poll: IAlias;
  readonly deadLetters: IQueue;
  readonly group: CfnScheduleGroup;
  /** "operators": the permission alone is made, and the schedules are left to them. */
  readonly managedBy: "stack" | "operators";
}

/** Wakes the poll of one cluster. A tick that comes twice or late is harmless: a poll only looks. */
export class PollSchedule extends Construct {
  constructor(scope: Construct, id: string, { cluster, poll, deadLetters, group, managedBy }: PollScheduleProps) {
    super(scope, id);
    const role = this.#role(group, poll, deadLetters);
    if (managedBy === "operators") {
      new CfnOutput(this, "RoleArn", { value: role.roleArn, description: `The role for schedules of ${cluster.name}` });
      new CfnOutput(this, "TargetArn", {
        value: poll.functionArn,
        description: `What they invoke for ${cluster.name}`,
      });
      return;
    }
    const schedule = new CfnSchedule(this, "Schedule", {
      name: cluster.name,
      ...(group.name === undefined ? {} : { groupName: group.name }),
      description: `Polls cluster ${cluster.name}`,
      scheduleExpression: cluster.poll.expression,
      scheduleExpressionTimezone: cluster.poll.timeZone,
      state: cluster.poll.enabled ? "ENABLED" : "DISABLED",
      flexibleTimeWindow: windowOf(cluster.poll),
      target: {
        arn: poll.functionArn,
        roleArn: role.roleArn,
        input: JSON.stringify({ cluster: cluster.name }),
        retryPolicy: deliveryOf(cluster.poll),
        deadLetterConfig: { arn: deadLetters.queueArn },
      },
    });
    schedule.addResourceDependency(group);
  }

  /** Only schedules of the group may take it. */
  #role(group: CfnScheduleGroup, poll: IAlias, deadLetters: IQueue): Role {
    const conditions = {
      StringEquals: { "aws:SourceAccount": Stack.of(this).account },
      ArnEquals: { "aws:SourceArn": group.attrArn },
    };
    const toPoll = { actions: ["lambda:InvokeFunction"], resources: [poll.functionArn] };
    const toQueue = { actions: ["sqs:SendMessage"], resources: [deadLetters.queueArn] };
    return new Role(this, "Role", {
      description: "What the schedules of a cluster's polls may do",
      assumedBy: new ServicePrincipal("scheduler.amazonaws.com", { conditions }),
      inlinePolicies: {
        pawl: new PolicyDocument({
          statements: [
            new PolicyStatement({ sid: "Poll", ...toPoll }),
            new PolicyStatement({ sid: "DeadLetters", ...toQueue }),
          ],
        }),
      },
    });
  }
}
