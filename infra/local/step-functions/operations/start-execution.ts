import type { StartExecutionOutput } from "@aws-sdk/client-sfn";
import * as v from "valibot";
import { openObject } from "../../../../functions/domain/text/schema.ts";
import { AwsError, validationError } from "../../aws-json/aws-error.ts";
import { parseInput, type RequestFields } from "../../aws-json/request-fields.ts";
import { getMachine, type ServiceContext } from "../service-context.ts";

const maxInputBytes = 262_144;
const maxNameLength = 80;

/** Characters that StartExecution's `name` must not contain, from the API reference. */
const forbiddenCharacters = /[\s<>{}[\]?*"#%\\^|~`$&,;:/\p{Cc}\p{Cs}\ufffe\uffff]/u;

const startInput = openObject({
  stateMachineArn: v.string(),
  name: v.optional(v.string()),
  input: v.optional(v.string(), "{}"),
});

/** Starts an execution. Idempotent for the same name and input while it runs; otherwise throws ExecutionAlreadyExists. */
export function startExecution({ machines, executions }: ServiceContext, fields: RequestFields): StartExecutionOutput {
  const { stateMachineArn, name, input } = parseInput(startInput, fields);
  const machine = getMachine(machines, stateMachineArn);
  if (name !== undefined) assertExecutionName(name);
  assertInput(input);
  const execution = executions.start(machine, name, input);
  return { executionArn: execution.arn, startDate: execution.startedAt };
}

function assertInput(input: string): void {
  if (Buffer.byteLength(input) > maxInputBytes) {
    throw validationError("input", "(too long)", `Member must have length less than or equal to ${maxInputBytes}`);
  }
  try {
    JSON.parse(input);
  } catch (error) {
    throw new AwsError("InvalidExecutionInput", `Invalid State Machine Execution Input: '${String(error)}'`);
  }
}

/** Throws InvalidName if Step Functions would reject the name. */
function assertExecutionName(name: string): void {
  if (name.length < 1 || name.length > maxNameLength || forbiddenCharacters.test(name)) {
    throw new AwsError("InvalidName", `Invalid Name: '${name}'`);
  }
}
