import type { DescribeStateMachineOutput, ListStateMachinesOutput } from "@aws-sdk/client-sfn";
import * as v from "valibot";
import { openObject } from "../../../../functions/domain/text/schema.ts";
import { parseInput, type RequestFields } from "../../aws-json/request-fields.ts";
import { pageFields, takePage } from "../../aws-json/paginate.ts";
import { localRoleArn } from "../arns.ts";
import { getMachine, type ServiceContext } from "../service-context.ts";

const describeInput = openObject({ stateMachineArn: v.string() });
const listInput = openObject(pageFields);

export function describeStateMachine({ machines }: ServiceContext, fields: RequestFields): DescribeStateMachineOutput {
  const { arn, name, definition, createdAt } = getMachine(machines, parseInput(describeInput, fields).stateMachineArn);
  return {
    stateMachineArn: arn,
    name,
    status: "ACTIVE",
    type: "STANDARD",
    definition: JSON.stringify(definition),
    roleArn: localRoleArn,
    creationDate: createdAt,
    loggingConfiguration: { level: "OFF", includeExecutionData: false },
    tracingConfiguration: { enabled: false },
  };
}

export function listStateMachines({ machines }: ServiceContext, fields: RequestFields): ListStateMachinesOutput {
  const all = [...machines.values()].map((machine, index) => ({ machine, index }));
  const { items, ...rest } = takePage(all, ({ index }) => index, "ascending", parseInput(listInput, fields));
  const stateMachines = items.map(({ machine: { arn, name, createdAt } }) => ({
    stateMachineArn: arn,
    name,
    type: "STANDARD" as const,
    creationDate: createdAt,
  }));
  return { stateMachines, ...rest };
}
