import type {
  DescribeExecutionOutput,
  ExecutionListItem,
  GetExecutionHistoryOutput,
  ListExecutionsOutput,
  StopExecutionOutput,
} from "@aws-sdk/client-sfn";
import * as v from "valibot";
import { openObject } from "../../../../functions/domain/text/schema.ts";
import { pageFields, takePage } from "../../aws-json/paginate.ts";
import { enumValue, parseInput, type RequestFields } from "../../aws-json/request-fields.ts";
import type { Execution } from "../execution.ts";
import { getExecution, getMachine, type ServiceContext } from "../service-context.ts";

const statuses = ["RUNNING", "SUCCEEDED", "FAILED", "TIMED_OUT", "ABORTED", "PENDING_REDRIVE"] as const;

const describeInput = openObject({ executionArn: v.string() });
const historyInput = openObject({
  executionArn: v.string(),
  reverseOrder: v.optional(v.boolean(), false),
  ...pageFields,
});
const listInput = openObject({
  stateMachineArn: v.string(),
  statusFilter: v.optional(enumValue(statuses)),
  ...pageFields,
});
const stopInput = openObject({
  executionArn: v.string(),
  error: v.exactOptional(v.string()),
  cause: v.exactOptional(v.string()),
});

export function describeExecution({ executions }: ServiceContext, fields: RequestFields): DescribeExecutionOutput {
  const execution = getExecution(executions, parseInput(describeInput, fields).executionArn);
  const { at, ...outcome } = execution.outcome ?? { at: undefined, status: "RUNNING" as const };
  return {
    executionArn: execution.arn,
    stateMachineArn: execution.machine.arn,
    name: execution.name,
    input: execution.input,
    inputDetails: { included: true },
    startDate: execution.startedAt,
    stopDate: at,
    ...outcome,
  };
}

export function getExecutionHistory({ executions }: ServiceContext, fields: RequestFields): GetExecutionHistoryOutput {
  const { executionArn, reverseOrder: newestFirst, ...page } = parseInput(historyInput, fields);
  const { history } = getExecution(executions, executionArn);
  const ordered = newestFirst ? history.toReversed() : history;
  const { items, ...rest } = takePage(ordered, ({ id = 0 }) => id, newestFirst ? "descending" : "ascending", page);
  return { events: [...items], ...rest };
}

/** Lists executions, newest first. */
export function listExecutions({ machines, executions }: ServiceContext, fields: RequestFields): ListExecutionsOutput {
  const { stateMachineArn, statusFilter: status, ...page } = parseInput(listInput, fields);
  const machine = getMachine(machines, stateMachineArn);
  const found = executions.list(machine).filter((execution) => status === undefined || statusOf(execution) === status);
  const { items, ...rest } = takePage(found, ({ sequence }) => sequence, "descending", page);
  return { executions: items.map(toListItem), ...rest };
}

/** Ends the execution as ABORTED before it responds. An execution that has already ended keeps its outcome and stop date. */
export function stopExecution({ executions }: ServiceContext, fields: RequestFields): StopExecutionOutput {
  const { executionArn, ...reason } = parseInput(stopInput, fields);
  const execution = getExecution(executions, executionArn);
  execution.stop(reason);
  return { stopDate: execution.outcome?.at };
}

function toListItem(execution: Execution): ExecutionListItem {
  return {
    executionArn: execution.arn,
    stateMachineArn: execution.machine.arn,
    name: execution.name,
    status: statusOf(execution),
    startDate: execution.startedAt,
    stopDate: execution.outcome?.at,
  };
}

function statusOf({ outcome }: Execution): (typeof statuses)[number] {
  return outcome?.status ?? "RUNNING";
}
