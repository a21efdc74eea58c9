import type { Decision } from "../domain/decision.ts";
import type { Workload } from "../domain/workload.ts";
import type { Act } from "./act.ts";

/** What came of one workload: a decision and what was done about it, or the error that kept it from being decided. */
export type Polled =
  | { readonly workload: Workload; readonly decision: Decision; readonly act: Act }
  | { readonly workload: Workload; readonly error: Error };

/** Says of a workload what kept it from being decided. */
export function failed(workload: Workload): (error: Error) => Polled {
  return (error) => ({ workload, error });
}
