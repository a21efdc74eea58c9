import type { HistoryEvent, HistoryEventType } from "@aws-sdk/client-sfn";
import { localRegion, localRoleArn } from "./arns.ts";
import type { Result, TaskAttempt } from "./task-attempts.ts";
import type { LogLine } from "./interpreter.ts";

/** An event of an execution's history, before its id and timestamp are assigned. */
export interface HistoryEventDraft {
  readonly type: HistoryEventType;
  /** null for events of the execution as a whole. */
  readonly state: string | null;
  readonly details: Omit<HistoryEvent, "id" | "previousEventId" | "timestamp" | "type">;
  readonly result: Result;
}

const lambda = { resourceType: "lambda", resource: "invoke" };

export function stateEntered(kind: string, state: string, input: unknown): HistoryEventDraft {
  const type = `${kind}StateEntered` as HistoryEventType;
  return {
    state,
    type,
    result: {},
    details: { stateEnteredEventDetails: { name: state, input: JSON.stringify(input) } },
  };
}

export function stateExited(kind: string, state: string, value: unknown): HistoryEventDraft {
  const type = `${kind}StateExited` as HistoryEventType;
  const output = JSON.stringify(value);
  return { state, type, result: { output }, details: { stateExitedEventDetails: { name: state, output } } };
}

export function taskStarted(state: string, { parameters }: TaskAttempt): readonly HistoryEventDraft[] {
  const scheduled = { ...lambda, region: localRegion, parameters: JSON.stringify(parameters) };
  return [
    { state, type: "TaskScheduled", result: {}, details: { taskScheduledEventDetails: scheduled } },
    { state, type: "TaskStarted", result: {}, details: { taskStartedEventDetails: lambda } },
  ];
}

/** Returns the end event of a task. A state can fail after its function succeeded, if a ResultSelector path is missing. */
export function taskEnded(state: string, attempt: TaskAttempt): HistoryEventDraft {
  const result = attempt.result ?? { error: "States.Timeout" };
  const eventDetails = { ...lambda, ...result };
  if (attempt.result === null)
    return { state, type: "TaskTimedOut", result, details: { taskTimedOutEventDetails: eventDetails } };
  if (attempt.result.error !== undefined)
    return { state, type: "TaskFailed", result, details: { taskFailedEventDetails: eventDetails } };
  return { state, type: "TaskSucceeded", result, details: { taskSucceededEventDetails: eventDetails } };
}

/** Returns the events of the execution as a whole, except the abort, which `Execution.stop` writes. */
export function executionEvents(line: LogLine): readonly HistoryEventDraft[] {
  if (line.type === "ExecutionStarted") return [executionStarted(JSON.stringify(line.input))];
  if (line.type === "ExecutionSucceeded") return [executionSucceeded(JSON.stringify(line.output))];
  if (line.type === "ExecutionFailed") return [executionFailed({ error: line.Error, cause: String(line.Cause) })];
  if (line.type === "ExecutionTimeout") return [executionTimedOut];
  return [];
}

const executionTimedOut: HistoryEventDraft = {
  state: null,
  type: "ExecutionTimedOut",
  result: {},
  details: { executionTimedOutEventDetails: {} },
};

function executionStarted(input: string): HistoryEventDraft {
  const details = { executionStartedEventDetails: { input, roleArn: localRoleArn } };
  return { state: null, type: "ExecutionStarted", result: {}, details };
}

function executionSucceeded(output: string): HistoryEventDraft {
  const result = { output };
  return { state: null, type: "ExecutionSucceeded", result, details: { executionSucceededEventDetails: result } };
}

export function executionFailed(result: Result): HistoryEventDraft {
  return { state: null, type: "ExecutionFailed", result, details: { executionFailedEventDetails: result } };
}

export function executionAborted(result: Result): HistoryEventDraft {
  return { state: null, type: "ExecutionAborted", result, details: { executionAbortedEventDetails: result } };
}
