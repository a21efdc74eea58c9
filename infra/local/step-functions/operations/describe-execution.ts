import type { DescribeExecutionOutput } from "@aws-sdk/client-sfn";
import { requiredString, type Fields } from "../../wire/fields.ts";
import { executionOf, type StepFunctions } from "../step-functions.ts";

export function describeExecution({ ledger }: StepFunctions, fields: Fields): DescribeExecutionOutput {
  const { arn, machine, name, input, startedAt, ending } = executionOf(ledger, requiredString(fields, "executionArn"));
  const { at, ...outcome } = ending ?? { at: undefined, status: "RUNNING" as const };
  return {
    executionArn: arn,
    stateMachineArn: machine.arn,
    name,
    input,
    inputDetails: { included: true },
    startDate: startedAt,
    stopDate: at,
    ...outcome,
  };
}
