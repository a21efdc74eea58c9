import type { DescribeStateMachineOutput, ListStateMachinesOutput } from "@aws-sdk/client-sfn";
import { requiredString, type Fields } from "../../wire/fields.ts";
import { pageOf } from "../../wire/page.ts";
import { roleArn } from "../arns.ts";
import { machineOf, type StepFunctions } from "../step-functions.ts";

export function describeStateMachine({ machines }: StepFunctions, fields: Fields): DescribeStateMachineOutput {
  const { arn, name, definition, createdAt } = machineOf(machines, requiredString(fields, "stateMachineArn"));
  return {
    stateMachineArn: arn,
    name,
    status: "ACTIVE",
    type: "STANDARD",
    definition: JSON.stringify(definition),
    roleArn,
    creationDate: createdAt,
    loggingConfiguration: { level: "OFF", includeExecutionData: false },
    tracingConfiguration: { enabled: false },
  };
}

export function listStateMachines({ machines }: StepFunctions, fields: Fields): ListStateMachinesOutput {
  const all = [...machines.values()].map((machine, place) => ({ machine, place }));
  const { items, ...rest } = pageOf(all, ({ place }) => place, "ascending", fields);
  const stateMachines = items.map(({ machine: { arn, name, createdAt } }) => ({
    stateMachineArn: arn,
    name,
    type: "STANDARD" as const,
    creationDate: createdAt,
  }));
  return { stateMachines, ...rest };
}
