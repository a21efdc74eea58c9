import { CfnOutput } from "aws-cdk-lib";
import { PolicyDocument, PolicyStatement, Role } from "aws-cdk-lib/aws-iam";
import type { IAlias } from "aws-cdk-lib/aws-lambda";
import { CfnSchedule } from "aws-cdk-lib/aws-scheduler";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { ClusterConfig } from "../../config/schema.ts";
import { retryPolicy } from "./retry-policy.ts";
import { sendStatements } from "../functions/dead-letter-queue.ts";
import { scheduleGroupArn } from "../resource-names.ts";
import { trustService } from "../access/service-trust.ts";
import { flexibleTimeWindow } from "./flexible-time-window.ts";

export interface PollScheduleProps {
  readonly cluster: ClusterConfig;
  readonly poll: IAlias;
  readonly deadLetters: IQueue;
  /** "external": the stack creates only the permissions; schedules are created outside the stack. */
  readonly managedBy: "stack" | "external";
}

/** Invokes the poll of one cluster. A duplicate or late invocation is harmless. */
export class PollSchedule extends Construct {
  constructor(scope: Construct, id: string, { cluster, poll, deadLetters, managedBy }: PollScheduleProps) {
    super(scope, id);
    const role = this.#createRole(cluster, poll, deadLetters);
    if (managedBy === "external") {
      new CfnOutput(this, "RoleArn", { value: role.roleArn, description: `The role for schedules of ${cluster.name}` });
      new CfnOutput(this, "TargetArn", {
        value: poll.functionArn,
        description: `The target of the schedules of ${cluster.name}`,
      });
      return;
    }
    new CfnSchedule(this, "Schedule", {
      name: cluster.name,
      groupName: cluster.prefix,
      description: `Polls cluster ${cluster.name}`,
      scheduleExpression: cluster.poll.expression,
      scheduleExpressionTimezone: cluster.poll.timeZone,
      state: cluster.poll.enabled ? "ENABLED" : "DISABLED",
      flexibleTimeWindow: flexibleTimeWindow(cluster.poll),
      target: {
        arn: poll.functionArn,
        roleArn: role.roleArn,
        input: JSON.stringify({ cluster: cluster.name }),
        retryPolicy: retryPolicy(cluster.poll),
        deadLetterConfig: { arn: deadLetters.queueArn },
      },
    });
  }

  /** Creates the role that only schedules of the group can assume. */
  #createRole({ prefix }: ClusterConfig, poll: IAlias, deadLetters: IQueue): Role {
    const toPoll = { actions: ["lambda:InvokeFunction"], resources: [poll.functionArn] };
    return new Role(this, "Role", {
      description: "Lets the schedules of a cluster invoke its poll",
      assumedBy: trustService(this, "scheduler.amazonaws.com", [scheduleGroupArn(this, prefix)]),
      inlinePolicies: {
        pawl: new PolicyDocument({
          statements: [new PolicyStatement({ sid: "Poll", ...toPoll }), ...sendStatements(deadLetters)],
        }),
      },
    });
  }
}
