import type { Context, Input, LogLine } from "./interpreter.ts";
import { taskLog } from "./attempts.ts";
import { roleArn } from "./arns.ts";
import type { Execution, Identity } from "./execution.ts";
import { aborted, type Happening } from "./happenings.ts";
import { historyTranslator } from "./history.ts";
import { openRecord } from "./record.ts";
import { stateHandlers } from "./state-handlers.ts";
import type { Clock } from "./wait.ts";

type Tell = (happening: Happening, at: Date) => void;

/** Starts the execution; `tell` hears of everything that happens to it. Its input is JSON text that has been checked. */
export function runExecution(identity: Identity, clock: Clock, tell: Tell): Execution {
  const ended = new AbortController();
  const record = openRecord(clock.now, (happening, at) => {
    if (record.ending) ended.abort();
    tell(happening, at);
  });
  const tasks = taskLog();
  const working = new Set<Promise<unknown>>();
  const work = { identity, clock, tasks, working, signal: ended.signal };
  const run = identity.machine.interpreter.run(JSON.parse(identity.input) as Input, {
    context: contextOf(identity),
    overrides: { taskResourceLocalHandlers: stateHandlers(work) },
  });
  ended.signal.addEventListener("abort", () => run.abort(), { once: true });
  // The log tells the result as well, in the order of what came before it.
  run.result.catch(() => {});
  void follow(run.eventLogs, historyTranslator(identity.machine, tasks), record.write);
  return {
    ...identity,
    history: record.events,
    get ending() {
      return record.ending;
    },
    stop: (reason) => record.write(aborted(reason)),
    settled: async () => void (await Promise.allSettled(working)),
  };
}

async function follow(
  log: AsyncIterable<LogLine>,
  translate: (line: LogLine) => readonly Happening[],
  write: (happening: Happening) => void,
): Promise<void> {
  for await (const line of log) translate(line).forEach(write);
}

/** The Context Object, `$$`. The interpreter adds `Execution.Input`; `Clock` is what `translate` has put in its place. */
function contextOf({ machine, name, arn, startedAt }: Identity): Context {
  return {
    Execution: { Id: arn, Name: name, RoleArn: roleArn },
    StateMachine: { Id: machine.arn, Name: machine.name },
    Clock: { StartTime: startedAt.toISOString() },
  };
}
