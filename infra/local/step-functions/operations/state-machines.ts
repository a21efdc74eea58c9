import type { DescribeStateMachineOutput, ListStateMachinesOutput } from "@aws-sdk/client-sfn";
import * as v from "valibot";
import { openObject } from "../../../../functions/domain/text/schema.ts";
import { parseInput, type Fields } from "../../aws-json/request-fields.ts";
import { pageFields, paginate } from "../../aws-json/paginate.ts";
import { roleArn } from "../arns.ts";
import { getMachine, type ServiceContext } from "../service-context.ts";

const describeInput = openObject({ stateMachineArn: v.string() });
const listInput = openObject(pageFields);

export function describeStateMachine({ machines }: ServiceContext, fields: Fields): DescribeStateMachineOutput {
  const { arn, name, definition, createdAt } = getMachine(machines, parseInput(describeInput, fields).stateMachineArn);
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

export function listStateMachines({ machines }: ServiceContext, fields: Fields): ListStateMachinesOutput {
  const all = [...machines.values()].map((machine, index) => ({ machine, index }));
  const { items, ...rest } = paginate(all, ({ index }) => index, "ascending", parseInput(listInput, fields));
  const stateMachines = items.map(({ machine: { arn, name, createdAt } }) => ({
    stateMachineArn: arn,
    name,
    type: "STANDARD" as const,
    creationDate: createdAt,
  }));
  return { stateMachines, ...rest };
}
