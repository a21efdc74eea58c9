import type { Decision } from "../domain/decision.ts";
import type { Workload, WorkloadRef } from "../domain/workload.ts";

/** What a poll can come to but for an update in flight, which is left to its execution. Plain JSON. */
export type CheckDecision = Exclude<Decision, { readonly kind: "adopt" }>;

/**
 * What a poll writes down and tells of what it decided. Apart from the poll, which itself only reads: elsewhere it may
 * be done by another function, with other rights in the cluster.
 */
export interface Checks {
  /**
   * "recorded" where something about `workload` was new, and has been written to it or told; "none" where there is
   * nothing to write or tell. Throws `Conflict` where the workload has changed since it was read and something is to be
   * written, and what `Cluster` and `Events` throw.
   */
  record(workload: Workload, decision: CheckDecision): Promise<"recorded" | "none">;
}

/** What the function `record-check` is invoked with; plain JSON. */
export interface RecordCheckInput {
  readonly cluster: string;
  readonly workload: WorkloadRef;
  /** At which the workload was decided about. */
  readonly resourceVersion: string;
  readonly decision: CheckDecision;
}

/**
 * What a function answers that writes down what a poll saw; plain JSON. "changed": what it was about has changed since, or is
 * gone; nothing was written.
 */
export interface RecordOutput {
  readonly kind: "written" | "nothing-new" | "changed";
  /** A sentence for people. */
  readonly reason: string;
}
