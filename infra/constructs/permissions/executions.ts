import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import { executionArns, live, machineArn, type MachineName, machineName } from "../names.ts";

/** What the statements are called: of workloads these are updates. */
const noun = { "workload-update": "Updates", "node-pool-rollout": "Rollouts" } as const;

/**
 * Starting executions by the alias, and asking what became of them. Step Functions authorizes a call by an alias on the
 * machine's own ARN. https://docs.aws.amazon.com/step-functions/latest/dg/auth-version-alias.html
 */
export function startingExecutions(
  scope: Construct,
  cluster: string,
  machine: MachineName,
): readonly PolicyStatement[] {
  return [
    new PolicyStatement({
      sid: `Start${noun[machine]}`,
      actions: ["states:StartExecution"],
      resources: [machineArn(scope, cluster, machine)],
      conditions: { "ForAnyValue:StringEquals": { "states:StateMachineQualifier": [live] } },
    }),
    new PolicyStatement({
      sid: `Follow${noun[machine]}`,
      actions: ["states:DescribeExecution"],
      resources: [executionArns(scope, cluster, machine)],
    }),
  ];
}

/** What is said to the auditor about the wildcard above. */
export function executionWildcard(cluster: string, machine: MachineName): { id: string; reason: string } {
  const arn = `arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:${machineName(cluster, machine)}:*`;
  return {
    id: `AwsSolutions-IAM5[Resource::${arn}]`,
    reason: "An execution is named after what it does: which there will be is not known. They are this machine's only.",
  };
}
