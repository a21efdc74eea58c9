/** The result of a step or an execution in the strings of the wire: `output` is JSON text. */
export interface Result {
  readonly output?: string;
  readonly error?: string;
  readonly cause?: string;
}

/** One call of a Task's function. A Retry makes several. */
export interface TaskAttempt {
  readonly state: string;
  readonly parameters: unknown;
  /** null while the function runs, and permanently if it timed out. */
  result: Result | null;
}

/** The calls that are not in the history yet, oldest first. */
export interface TaskLog {
  start(state: string, parameters: unknown): TaskAttempt;
  /** Removes and returns the oldest call if it belongs to this state; null if the state failed before its call. */
  takeNext(state: string): TaskAttempt | null;
}

/** Creates a log of task calls: the interpreter's own log does not contain the parameters of a call. */
export function createTaskLog(): TaskLog {
  const waiting: TaskAttempt[] = [];
  return {
    start(state, parameters) {
      const attempt: TaskAttempt = { state, parameters, result: null };
      waiting.push(attempt);
      return attempt;
    },
    takeNext(state) {
      return waiting[0]?.state === state ? (waiting.shift() ?? null) : null;
    },
  };
}
