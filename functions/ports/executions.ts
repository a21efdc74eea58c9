/** "aborted": it was stopped manually. */
export type ExecutionState = "running" | "ended" | "aborted" | "unknown";

/** Why an execution failed: the `Error` and `Cause` of its Fail state. */
export interface ExecutionFailure {
  readonly error: string;
  readonly cause: string;
}

/**
 * The executions of one state machine.
 * Every method may throw `Throttled` or `Unreachable`.
 */
export interface Executions<Input> {
  /**
   * Starts an execution. Returns "started" if an execution of this name is running now, also if it was before, and "ended" if one of
   * this name has ended, so that nothing was started.
   */
  start(name: string, input: Input): Promise<"started" | "ended">;

  /**
   * Returns when each execution that runs was started, by name. One that started a moment ago may be missing, and one that ended a moment ago may
   * still be among them.
   */
  listRunning(): Promise<ReadonlyMap<string, Date>>;

  /** Returns the state of the execution of this name; "unknown" if there is none. */
  state(name: string): Promise<ExecutionState>;

  /** Returns why the execution of this name failed; null if it did not fail, or is unknown. */
  failure(name: string): Promise<ExecutionFailure | null>;
}
