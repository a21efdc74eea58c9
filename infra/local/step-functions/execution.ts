import type { ExecutionStatus, HistoryEvent, HistoryEventType } from "@aws-sdk/client-sfn";
import type { Result } from "./task-attempts.ts";
import type { Machine } from "./machine.ts";

/** How an execution ended. */
export interface ExecutionOutcome extends Result {
  readonly status: Exclude<ExecutionStatus, "RUNNING" | "PENDING_REDRIVE">;
  readonly at: Date;
}

/** What identifies an execution, and what it was started with. */
export interface ExecutionIdentity {
  /** The execution's number in the order of starts. */
  readonly sequence: number;
  readonly machine: Machine;
  readonly name: string;
  readonly arn: string;
  /** The JSON text of StartExecution, unchanged. */
  readonly input: string;
  readonly startedAt: Date;
}

/** One execution, running or ended. Only `history`, which grows, and `outcome` change. */
export interface Execution extends ExecutionIdentity {
  readonly history: readonly HistoryEvent[];
  /** null while it runs. */
  readonly outcome: ExecutionOutcome | null;
  /** Ends the execution as ABORTED; no function is called afterwards. Does nothing if it has already ended. */
  stop(reason: Result): void;
  /** Resolves when every function that it called has returned, also after a stop. */
  settled(): Promise<void>;
}

/** One event of an execution's history. */
export interface StateChange extends Result {
  readonly execution: string;
  readonly machine: string;
  /** null for events of the execution as a whole. */
  readonly state: string | null;
  readonly type: HistoryEventType;
  readonly at: Date;
}
