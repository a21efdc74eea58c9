import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import { executionArns, live, machineArn } from "../names.ts";

/**
 * Starting executions by the alias, and asking what became of them. Step Functions authorizes a call by an alias on the
 * machine's own ARN. https://docs.aws.amazon.com/step-functions/latest/dg/auth-version-alias.html
 */
export function startingExecutions(scope: Construct, cluster: string): readonly PolicyStatement[] {
  return [
    new PolicyStatement({
      sid: "StartUpdates",
      actions: ["states:StartExecution"],
      resources: [machineArn(scope, cluster)],
      conditions: { "ForAnyValue:StringEquals": { "states:StateMachineQualifier": [live] } },
    }),
    new PolicyStatement({
      sid: "FollowUpdates",
      actions: ["states:DescribeExecution"],
      resources: [executionArns(scope, cluster)],
    }),
  ];
}
