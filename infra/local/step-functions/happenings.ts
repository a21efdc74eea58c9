import type { HistoryEvent, HistoryEventType } from "@aws-sdk/client-sfn";
import { region, roleArn } from "./arns.ts";
import type { Attempt } from "./attempts.ts";
import type { LogLine } from "./interpreter.ts";

/** What a step or an execution came to, in the wire's strings: `output` is JSON text. */
export interface Result {
  readonly output?: string;
  readonly error?: string;
  readonly cause?: string;
}

/** An event of an execution's history before it has got its number and its time. */
export interface Happening {
  readonly type: HistoryEventType;
  /** null for what concerns the execution as a whole. */
  readonly state: string | null;
  readonly details: Omit<HistoryEvent, "id" | "previousEventId" | "timestamp" | "type">;
  readonly result: Result;
}

const lambda = { resourceType: "lambda", resource: "invoke" };

export function entered(kind: string, state: string, input: unknown): Happening {
  const type = `${kind}StateEntered` as HistoryEventType;
  return {
    state,
    type,
    result: {},
    details: { stateEnteredEventDetails: { name: state, input: JSON.stringify(input) } },
  };
}

export function exited(kind: string, state: string, value: unknown): Happening {
  const type = `${kind}StateExited` as HistoryEventType;
  const output = JSON.stringify(value);
  return { state, type, result: { output }, details: { stateExitedEventDetails: { name: state, output } } };
}

export function attemptBegun(state: string, { parameters }: Attempt): readonly Happening[] {
  const scheduled = { ...lambda, region, parameters: JSON.stringify(parameters) };
  return [
    { state, type: "TaskScheduled", result: {}, details: { taskScheduledEventDetails: scheduled } },
    { state, type: "TaskStarted", result: {}, details: { taskStartedEventDetails: lambda } },
  ];
}

/** A function may have answered well and its state still fail, on a ResultSelector that finds nothing. */
export function attemptEnded(state: string, { outcome }: Attempt): Happening {
  const result = outcome ?? { error: "States.Timeout" };
  const told = { ...lambda, ...result };
  if (outcome === null) return { state, type: "TaskTimedOut", result, details: { taskTimedOutEventDetails: told } };
  if (outcome.error !== undefined)
    return { state, type: "TaskFailed", result, details: { taskFailedEventDetails: told } };
  return { state, type: "TaskSucceeded", result, details: { taskSucceededEventDetails: told } };
}

/** What the log says of the execution as a whole, the abort excepted: a stop is written where it is asked for. */
export function ofExecution(line: LogLine): readonly Happening[] {
  if (line.type === "ExecutionStarted") return [started(JSON.stringify(line.input))];
  if (line.type === "ExecutionSucceeded") return [succeeded(JSON.stringify(line.output))];
  if (line.type === "ExecutionFailed") return [failed({ error: line.Error, cause: String(line.Cause) })];
  if (line.type === "ExecutionTimeout") return [timedOut];
  return [];
}

const timedOut: Happening = {
  state: null,
  type: "ExecutionTimedOut",
  result: {},
  details: { executionTimedOutEventDetails: {} },
};

function started(input: string): Happening {
  const details = { executionStartedEventDetails: { input, roleArn } };
  return { state: null, type: "ExecutionStarted", result: {}, details };
}

function succeeded(output: string): Happening {
  const result = { output };
  return { state: null, type: "ExecutionSucceeded", result, details: { executionSucceededEventDetails: result } };
}

export function failed(result: Result): Happening {
  return { state: null, type: "ExecutionFailed", result, details: { executionFailedEventDetails: result } };
}

export function aborted(result: Result): Happening {
  return { state: null, type: "ExecutionAborted", result, details: { executionAbortedEventDetails: result } };
}
