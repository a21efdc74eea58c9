/** "aborted": it was stopped manually. */
export type ExecutionState = "running" | "ended" | "aborted" | "unknown";

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

  /** Returns the state of the execution of this name; "unknown" if there is none. */
  state(name: string): Promise<ExecutionState>;
}
