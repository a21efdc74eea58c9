import type { ExecutionStatus, HistoryEvent, HistoryEventType } from "@aws-sdk/client-sfn";
import type { Result } from "./happenings.ts";
import type { Machine } from "./machine.ts";

/** How an execution ended. */
export interface Ending extends Result {
  readonly status: Exclude<ExecutionStatus, "RUNNING" | "PENDING_REDRIVE">;
  readonly at: Date;
}

/** Which execution is meant, and of what. */
export interface Identity {
  /** Counts executions in the order of their starts. */
  readonly sequence: number;
  readonly machine: Machine;
  readonly name: string;
  readonly arn: string;
  /** The JSON text of StartExecution, to the byte. */
  readonly input: string;
  readonly startedAt: Date;
}

/** One execution, running or ended. What changes is `history`, which grows, and `ending`. */
export interface Execution extends Identity {
  readonly history: readonly HistoryEvent[];
  /** null while it runs. */
  readonly ending: Ending | null;
  /** Ends it as ABORTED, and from here on none of its functions is called. Does nothing where it has ended before. */
  stop(reason: Result): void;
  /** Settles when every function that it has called has come back, also after a stop. */
  settled(): Promise<void>;
}

/** One event of an execution's history, told as it happens. */
export interface StateChange extends Result {
  readonly execution: string;
  readonly machine: string;
  /** null for what concerns the execution as a whole. */
  readonly state: string | null;
  readonly type: HistoryEventType;
  readonly at: Date;
}
