import type { StopExecutionOutput } from "@aws-sdk/client-sfn";
import { optionalString, requiredString, type Fields } from "../../wire/fields.ts";
import { executionOf, type StepFunctions } from "../step-functions.ts";

/** The execution is ABORTED when the answer leaves; one that had ended before keeps its end, and the answer says when. */
export function stopExecution({ ledger }: StepFunctions, fields: Fields): StopExecutionOutput {
  const execution = executionOf(ledger, requiredString(fields, "executionArn"));
  const error = optionalString(fields, "error");
  const cause = optionalString(fields, "cause");
  execution.stop({ ...(error !== undefined && { error }), ...(cause !== undefined && { cause }) });
  return { stopDate: execution.ending?.at };
}
