import type { Context, Input, LogLine } from "./interpreter.ts";
import { createTaskLog } from "./task-attempts.ts";
import { localRoleArn } from "./arns.ts";
import type { Execution, ExecutionIdentity } from "./execution.ts";
import { executionAborted, type HistoryEventDraft } from "./history-events.ts";
import { createHistoryTranslator } from "./history.ts";
import { createHistoryWriter } from "./history-writer.ts";
import { createStateHandlers } from "./state-handlers.ts";
import type { WaitClock } from "./wait.ts";

type OnHistoryEvent = (event: HistoryEventDraft, at: Date) => void;

/** Starts the execution and calls `onEvent` for every history event. The input must be valid JSON text. */
export function runExecution(identity: ExecutionIdentity, clock: WaitClock, onEvent: OnHistoryEvent): Execution {
  const ended = new AbortController();
  const writer = createHistoryWriter(clock.now, (event, at) => {
    if (writer.outcome) ended.abort();
    onEvent(event, at);
  });
  const tasks = createTaskLog();
  const pendingCalls = new Set<Promise<unknown>>();
  const work = { identity, clock, tasks, pendingCalls, signal: ended.signal };
  const run = identity.machine.interpreter.run(JSON.parse(identity.input) as Input, {
    context: contextObject(identity),
    overrides: { taskResourceLocalHandlers: createStateHandlers(work) },
  });
  ended.signal.addEventListener("abort", () => run.abort(), { once: true });
  // The log contains the result as well, in order.
  run.result.catch(() => {});
  void writeHistory(run.eventLogs, createHistoryTranslator(identity.machine, tasks), writer.write);
  return {
    ...identity,
    history: writer.events,
    get outcome() {
      return writer.outcome;
    },
    stop: (reason) => writer.write(executionAborted(reason)),
    settled: async () => void (await Promise.allSettled(pendingCalls)),
  };
}

async function writeHistory(
  log: AsyncIterable<LogLine>,
  translate: (line: LogLine) => readonly HistoryEventDraft[],
  write: (event: HistoryEventDraft) => void,
): Promise<void> {
  for await (const line of log) translate(line).forEach(write);
}

/** Returns the Context Object, `$$`. The interpreter adds `Execution.Input`; `translate` makes definitions read `Clock`. */
function contextObject({ machine, name, arn, startedAt }: ExecutionIdentity): Context {
  return {
    Execution: { Id: arn, Name: name, RoleArn: localRoleArn },
    StateMachine: { Id: machine.arn, Name: machine.name },
    Clock: { StartTime: startedAt.toISOString() },
  };
}
