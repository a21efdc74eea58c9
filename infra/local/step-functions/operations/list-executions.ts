import type { ExecutionListItem, ListExecutionsOutput } from "@aws-sdk/client-sfn";
import { optionalOneOf, requiredString, type Fields } from "../../wire/fields.ts";
import { pageOf } from "../../wire/page.ts";
import type { Execution } from "../execution.ts";
import { machineOf, type StepFunctions } from "../step-functions.ts";

const statuses = ["RUNNING", "SUCCEEDED", "FAILED", "TIMED_OUT", "ABORTED", "PENDING_REDRIVE"] as const;

/** Newest first. */
export function listExecutions({ machines, ledger }: StepFunctions, fields: Fields): ListExecutionsOutput {
  const machine = machineOf(machines, requiredString(fields, "stateMachineArn"));
  const wanted = optionalOneOf(fields, "statusFilter", statuses);
  const found = ledger.of(machine).filter((execution) => wanted === undefined || statusOf(execution) === wanted);
  const { items, ...rest } = pageOf(found, ({ sequence }) => sequence, "descending", fields);
  return { executions: items.map(listItem), ...rest };
}

function listItem(execution: Execution): ExecutionListItem {
  return {
    executionArn: execution.arn,
    stateMachineArn: execution.machine.arn,
    name: execution.name,
    status: statusOf(execution),
    startDate: execution.startedAt,
    stopDate: execution.ending?.at,
  };
}

function statusOf({ ending }: Execution): (typeof statuses)[number] {
  return ending?.status ?? "RUNNING";
}
