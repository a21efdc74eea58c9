import type { TaskAttempt, TaskLog } from "./task-attempts.ts";
import {
  taskStarted,
  taskEnded,
  stateEntered,
  stateExited,
  executionEvents,
  type HistoryEventDraft,
} from "./history-events.ts";
import type { LogLine } from "./interpreter.ts";
import type { Machine } from "./machine.ts";

/** Creates a function that translates one execution's interpreter log into the events of GetExecutionHistory. */
export function createHistoryTranslator(
  machine: Machine,
  tasks: TaskLog,
): (line: LogLine) => readonly HistoryEventDraft[] {
  let attempt: TaskAttempt | null = null;

  function begin(state: string): readonly HistoryEventDraft[] {
    attempt = tasks.takeNext(state);
    return attempt ? taskStarted(state, attempt) : [];
  }

  function end(state: string): readonly HistoryEventDraft[] {
    const events = attempt ? [taskEnded(state, attempt)] : [];
    attempt = null;
    return events;
  }

  return (line) => {
    if (!("state" in line)) return executionEvents(line);
    const { name, type, input, output } = line.state;
    // translate.ts turns Wait states into Tasks; the history needs the type from the original file.
    const kind = machine.definition.States[name]?.Type ?? type;
    if (line.type === "StateEntered") return [stateEntered(kind, name, input), ...begin(name)];
    if (line.type === "StateRetried") return begin(name);
    if (line.type === "StateFailed") return end(name);
    return line.type === "StateExited" ? [...end(name), stateExited(kind, name, output)] : [];
  };
}
