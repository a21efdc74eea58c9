import type { Decision, Hold } from "../../domain/workload/decision/decision.ts";
import type { Workload } from "../../domain/workload/workload.ts";

export type Update = Extract<Decision, { readonly kind: "update" }>;

/** Decides which of the updates that a poll has found start now. */
export interface StartLimiter {
  /** Returns the hold of an update that waits for a place; null if it may start. */
  request(workload: Workload, update: Update): Promise<Hold | null>;
  /** Returns the hold to record of a workload that could not be decided, or not started; null if there is none. */
  fail(workload: Workload, cause: string): Hold | null;
  /** Runs the evaluation of a workload, which may request a place. */
  track<Result>(workload: Workload, evaluate: () => Promise<Result>): Promise<Result>;
  /** Nothing is evaluated any more. */
  end(): Promise<void>;
}
