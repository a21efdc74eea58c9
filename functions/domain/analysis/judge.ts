import { meets } from "./condition.ts";
import type { QueryResult } from "./query-result.ts";
import type { Criterion } from "./spec.ts";

/** Not ordered: each has a limit of its own. */
export type Verdict = "pass" | "fail" | "inconclusive" | "error";

/** The result of one measurement. */
export interface Outcome {
  readonly verdict: Verdict;
  /** Always finite; null for an error, and only then. */
  readonly value: number | null;
  /** Why it did not pass; null if it did. */
  readonly note: string | null;
}

/**
 * Judges the result of a query. With both conditions, failure takes precedence, and a value that meets neither is inconclusive.
 * With one, the other is its negation, as in Argo Rollouts. No value, NaN, infinity and several series are errors, as there.
 */
export function judge(criterion: Criterion, reading: QueryResult): Outcome {
  if (reading.kind === "none") return unmeasured("the query returned nothing");
  if (reading.kind === "several") return unmeasured(`the query returned ${reading.count} series`);
  if (!Number.isFinite(reading.value)) return unmeasured(`the query returned ${reading.value}`);
  return judgeValue(criterion, reading.value);
}

/** Returns the outcome of a query that was not answered, was rejected, or returned no number. */
export function unmeasured(reason: string): Outcome {
  return { verdict: "error", value: null, note: reason };
}

function judgeValue({ success, failure }: Criterion, value: number): Outcome {
  if (failure !== null && meets(value, failure)) return { verdict: "fail", value, note: `${value}: ${failure.text}` };
  if (success === null || meets(value, success)) return { verdict: "pass", value, note: null };
  if (failure === null) return { verdict: "fail", value, note: `${value}: not ${success.text}` };
  return { verdict: "inconclusive", value, note: `${value}: neither ${success.text} nor ${failure.text}` };
}
