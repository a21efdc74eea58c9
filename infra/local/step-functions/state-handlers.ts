import { setImmediate as nextTurn } from "node:timers/promises";
import type { Handlers } from "./interpreter.ts";
import type { TaskLog } from "./task-attempts.ts";
import type { ExecutionIdentity } from "./execution.ts";
import { invoke, TaskFailure, type LambdaResult } from "./invoke.ts";
import { NonRetryableError } from "./non-retryable-error.ts";
import { runWait, type WaitClock } from "./wait.ts";

/** One running execution, as its state handlers need it. */
interface ExecutionRun {
  readonly identity: ExecutionIdentity;
  readonly clock: WaitClock;
  readonly tasks: TaskLog;
  /** The calls that have not returned yet. */
  readonly pendingCalls: Set<Promise<unknown>>;
  /** Aborted when the execution ends for any reason. */
  readonly signal: AbortSignal;
}

/** Creates the interpreter's handlers for all Task states and for all Wait states, which `translate` turns into Tasks. */
export function createStateHandlers(work: ExecutionRun): Handlers {
  const handlers: Record<string, (input: unknown) => Promise<unknown>> = {};
  for (const [state, { Type: type }] of Object.entries(work.identity.machine.definition.States)) {
    if (type === "Task") handlers[state] = (input) => callTask(state, input, work);
    if (type === "Wait") handlers[state] = (input) => runWait(input, work.clock, work.signal);
  }
  return handlers as Handlers;
}

/**
 * Calls a task's function. If an execution is aborted during a Retry's backoff, the interpreter starts all remaining
 * retries at once; each fails here with an error that is not retried.
 */
async function callTask(state: string, input: unknown, work: ExecutionRun): Promise<LambdaResult> {
  const attempt = work.tasks.start(state, input);
  // Let the history record the call before the function runs.
  await nextTurn();
  if (work.signal.aborted) throw new NonRetryableError("Stopped", "the execution has ended");
  const call = invokeTask(state, input, work);
  work.pendingCalls.add(call);
  try {
    const answer = await call;
    attempt.result = { output: JSON.stringify(answer) };
    return answer;
  } catch (error) {
    if (error instanceof TaskFailure) attempt.result = { error: error.name, cause: error.message };
    throw error;
  } finally {
    work.pendingCalls.delete(call);
  }
}

function invokeTask(state: string, input: unknown, { identity }: ExecutionRun): Promise<LambdaResult> {
  const { machine, name, arn } = identity;
  const task = machine.tasks[state];
  if (!task) throw new NonRetryableError("States.Runtime", `${state}: no function is given for this Task`);
  return invoke(task, input, { machine: machine.name, state, execution: name, executionArn: arn });
}
