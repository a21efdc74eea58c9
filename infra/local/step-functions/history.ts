import type { Attempt, TaskLog } from "./attempts.ts";
import { attemptBegun, attemptEnded, entered, exited, ofExecution, type Happening } from "./happenings.ts";
import type { LogLine } from "./interpreter.ts";
import type { Machine } from "./machine.ts";

/** Makes one execution's translation of the interpreter's log into the events that GetExecutionHistory gives. */
export function historyTranslator(machine: Machine, tasks: TaskLog): (line: LogLine) => readonly Happening[] {
  let attempt: Attempt | null = null;

  function begin(state: string): readonly Happening[] {
    attempt = tasks.next(state);
    return attempt ? attemptBegun(state, attempt) : [];
  }

  function end(state: string): readonly Happening[] {
    const told = attempt ? [attemptEnded(state, attempt)] : [];
    attempt = null;
    return told;
  }

  return (line) => {
    if (!("state" in line)) return ofExecution(line);
    const { name, type, input, output } = line.state;
    // A Wait reaches the interpreter as a Task (see translate.ts): the file's own word counts.
    const kind = machine.definition.States[name]?.Type ?? type;
    if (line.type === "StateEntered") return [entered(kind, name, input), ...begin(name)];
    if (line.type === "StateRetried") return begin(name);
    if (line.type === "StateFailed") return end(name);
    return line.type === "StateExited" ? [...end(name), exited(kind, name, output)] : [];
  };
}
