import type { Decision } from "../domain/workload/decision/decision.ts";
import type { Workload, WorkloadRef } from "../domain/workload/workload.ts";

/** A decision of a poll, other than to adopt an update in flight. Plain JSON. */
export type CheckDecision = Exclude<Decision, { readonly kind: "adopt" }>;

/**
 * Records and emits the decisions of a poll. Separate from the poll, which only reads: on AWS another function with other
 * permissions in the cluster does it.
 */
export interface CheckRecorder {
  /**
   * Returns "recorded" if something about `workload` was new and was written or emitted, and "none" otherwise. Throws `Conflict` if
   * something has to be written and the workload has changed since it was read, and what `Cluster` and `Events` throw. Bounds how
   * many writes run concurrently.
   */
  record(workload: Workload, decision: CheckDecision): Promise<"recorded" | "none">;
}

/** One decision to record; plain JSON. */
export interface Check {
  readonly workload: WorkloadRef;
  /** Of the workload when it was evaluated. */
  readonly resourceVersion: string;
  /** Of its AutoUpdate; null if it had none. */
  readonly recordVersion: string | null;
  readonly decision: CheckDecision;
}

/** How many checks one invocation of the function `record-check` takes. */
export const maxChecks = 100;

/** Input of the function `record-check`; plain JSON. */
export interface RecordCheckInput {
  readonly cluster: string;
  /** At least one and at most `maxChecks`. */
  readonly checks: readonly Check[];
}

/** Output of the function `record-check`; plain JSON. */
export interface RecordCheckOutput {
  /** One for each check, in their order. */
  readonly results: readonly CheckOutput[];
}

export type CheckOutput = RecordOutput | FailedCheck;

/** A check that failed; it affects no other. */
export interface FailedCheck {
  readonly kind: "failed";
  /** The name of the error. */
  readonly error: string;
  readonly message: string;
}

/** Output of the recording functions; plain JSON. "changed": the object was changed or deleted since, and nothing was written. */
export interface RecordOutput {
  readonly kind: "written" | "nothing-new" | "changed";
  /** A sentence for people. */
  readonly reason: string;
}

/** Returns the output of a recording function for `subject`. */
export function recordOutput(recorded: "recorded" | "none", subject: string): RecordOutput {
  return recorded === "recorded"
    ? { kind: "written", reason: `recorded on ${subject}` }
    : { kind: "nothing-new", reason: `no change for ${subject}` };
}
