import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import { executionArns, live, machineArn, type MachineName, type NameScope } from "../resource-names.ts";
import { wildcardId } from "./wildcard-id.ts";

/** Used in the Sids of the statements. The machines are started by their aliases. */
const sidNoun = { "workload-update": "Updates", "node-pool-rollout": "Rollouts" } as const;

/**
 * Returns the statements to start executions by the alias, and to read their status; for a poll also to list them, which it does by the
 * machine itself. Step Functions authorizes a call by an alias on the ARN of the machine.
 * https://docs.aws.amazon.com/step-functions/latest/dg/auth-version-alias.html
 */
export function startExecutionStatements(
  scope: Construct,
  cluster: NameScope,
  machine: keyof typeof sidNoun,
  polls: boolean,
): readonly PolicyStatement[] {
  return [
    new PolicyStatement({
      sid: `Start${sidNoun[machine]}`,
      actions: ["states:StartExecution"],
      resources: [machineArn(scope, cluster, machine)],
      conditions: { "ForAnyValue:StringEquals": { "states:StateMachineQualifier": [live] } },
    }),
    new PolicyStatement({
      sid: `Describe${sidNoun[machine]}`,
      actions: ["states:DescribeExecution"],
      resources: [executionArns(scope, cluster, machine)],
    }),
    ...(polls ? [listStatement(scope, cluster, machine)] : []),
  ];
}

function listStatement(scope: Construct, cluster: NameScope, machine: keyof typeof sidNoun): PolicyStatement {
  return new PolicyStatement({
    sid: `List${sidNoun[machine]}`,
    actions: ["states:ListExecutions"],
    resources: [machineArn(scope, cluster, machine)],
  });
}

/** Returns the acknowledgement of the wildcard above for cdk-nag. */
export function executionWildcard(
  scope: Construct,
  cluster: NameScope,
  machine: MachineName,
): { id: string; reason: string } {
  return {
    id: wildcardId(scope, executionArns(scope, cluster, machine)),
    reason: "Execution names are not known in advance. The wildcard covers only executions of this machine.",
  };
}
