import type { StartExecutionOutput } from "@aws-sdk/client-sfn";
import { AwsFault, invalidField } from "../../wire/aws-fault.ts";
import { optionalString, requiredString, type Fields } from "../../wire/fields.ts";
import { checkExecutionName } from "../execution-name.ts";
import { machineOf, type StepFunctions } from "../step-functions.ts";

const largestInputBytes = 262_144;

/** Idempotent for the same name and input while the execution runs, otherwise ExecutionAlreadyExists. */
export function startExecution({ machines, ledger }: StepFunctions, fields: Fields): StartExecutionOutput {
  const machine = machineOf(machines, requiredString(fields, "stateMachineArn"));
  const name = optionalString(fields, "name");
  if (name !== undefined) checkExecutionName(name);
  const input = optionalString(fields, "input") ?? "{}";
  checkInput(input);
  const execution = ledger.start(machine, name, input);
  return { executionArn: execution.arn, startDate: execution.startedAt };
}

function checkInput(input: string): void {
  if (Buffer.byteLength(input) > largestInputBytes) {
    throw invalidField("input", "(too long)", `Member must have length less than or equal to ${largestInputBytes}`);
  }
  try {
    JSON.parse(input);
  } catch (error) {
    throw new AwsFault("InvalidExecutionInput", `Invalid State Machine Execution Input: '${String(error)}'`);
  }
}
