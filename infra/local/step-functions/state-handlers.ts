import { setImmediate as nextTurn } from "node:timers/promises";
import type { Handlers } from "./interpreter.ts";
import type { TaskLog } from "./attempts.ts";
import type { Identity } from "./execution.ts";
import { invoke, TaskFailure, type LambdaAnswer } from "./invoke.ts";
import { NotForRetry } from "./not-for-retry.ts";
import { waitOut, type Clock } from "./wait.ts";

/** What one execution's states work with. */
export interface Work {
  readonly identity: Identity;
  readonly clock: Clock;
  readonly tasks: TaskLog;
  /** The calls that have not come back. */
  readonly working: Set<Promise<unknown>>;
  /** Aborted when the execution ends, in whatever way. */
  readonly signal: AbortSignal;
}

/** What the interpreter runs for each Task and, since they reach it as Tasks, for each Wait of the machine. */
export function stateHandlers(work: Work): Handlers {
  const handlers: Record<string, (input: unknown) => Promise<unknown>> = {};
  for (const [state, { Type: type }] of Object.entries(work.identity.machine.definition.States)) {
    if (type === "Task") handlers[state] = (input) => callTask(state, input, work);
    if (type === "Wait") handlers[state] = (input) => waitOut(input, work.clock, work.signal);
  }
  return handlers as Handlers;
}

/**
 * An abort during the backoff of a Retry makes the interpreter fire all remaining retries at once: each of them ends
 * here, on an error that is not retried.
 */
async function callTask(state: string, input: unknown, work: Work): Promise<LambdaAnswer> {
  const attempt = work.tasks.begin(state, input);
  // The history and its observers know of the call before the function does anything.
  await nextTurn();
  if (work.signal.aborted) throw new NotForRetry("Stopped", "the execution has ended");
  const call = invokeTask(state, input, work);
  work.working.add(call);
  try {
    const answer = await call;
    attempt.outcome = { output: JSON.stringify(answer) };
    return answer;
  } catch (error) {
    if (error instanceof TaskFailure) attempt.outcome = { error: error.name, cause: error.message };
    throw error;
  } finally {
    work.working.delete(call);
  }
}

function invokeTask(state: string, input: unknown, { identity }: Work): Promise<LambdaAnswer> {
  const { machine, name, arn } = identity;
  const task = machine.tasks[state];
  if (!task) throw new NotForRetry("States.Runtime", `${state} has no function`);
  return invoke(task, input, { machine: machine.name, state, execution: name, executionArn: arn });
}
