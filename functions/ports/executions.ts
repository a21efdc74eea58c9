/** "aborted": a person, or somebody with a person's rights, has stopped it. */
export type ExecutionState = "running" | "ended" | "aborted" | "unknown";

/**
 * The executions of one state machine.
 * Every method may throw `Throttled` or `Unreachable`.
 */
export interface Executions<Input> {
  /**
   * Starts an execution, or finds that it was started before: "started" where it is (now) running under this name,
   * "ended" where one of this name has come to its end, so that this start did nothing.
   */
  start(name: string, input: Input): Promise<"started" | "ended">;

  /** What became of the execution of this name; "unknown" where none is known. */
  state(name: string): Promise<ExecutionState>;
}
