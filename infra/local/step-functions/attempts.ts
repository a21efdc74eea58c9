import type { Result } from "./happenings.ts";

/** One call of a Task's function; the machine makes several where it retries. */
export interface Attempt {
  readonly state: string;
  readonly parameters: unknown;
  /** null while the function runs, and for good where it ran past its timeout. */
  outcome: Result | null;
}

/** The calls that were made and have not been written to the history yet, oldest first. */
export interface TaskLog {
  begin(state: string, parameters: unknown): Attempt;
  /** Takes out the oldest call if it is this state's; null where the state failed before it called anything. */
  next(state: string): Attempt | null;
}

/** The interpreter's log says that a Task was entered, not what its function was given: this keeps that beside it. */
export function taskLog(): TaskLog {
  const waiting: Attempt[] = [];
  return {
    begin(state, parameters) {
      const attempt: Attempt = { state, parameters, outcome: null };
      waiting.push(attempt);
      return attempt;
    },
    next(state) {
      return waiting[0]?.state === state ? (waiting.shift() ?? null) : null;
    },
  };
}
