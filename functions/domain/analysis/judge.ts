import type { Comparison, ComparisonState } from "./comparison/comparison.ts";
import { isBeyond, limitOf } from "./comparison/margin.ts";
import { type Criterion, meets } from "./condition.ts";
import type { QueryResult } from "./query-result.ts";

/** Not ordered: each has a limit of its own. */
export type Verdict = "pass" | "fail" | "inconclusive" | "error";

/** The result of one measurement. */
export interface MeasurementOutcome {
  readonly verdict: Verdict;
  /** Always finite; null if there is none, as for an error. */
  readonly value: number | null;
  /** Why it did not pass; null if it did. */
  readonly note: string | null;
  /** The value of the stable pods, always finite; absent if there is none. */
  readonly baseline?: number;
  /** What the run has compared so far, if a test judges it. */
  readonly comparison?: ComparisonState;
}

/**
 * Judges the result of a query. With both conditions, failure takes precedence, and a value that meets neither is inconclusive.
 * With one, the other is its negation, as in Argo Rollouts. No value, NaN, infinity and several series are errors, as there.
 * A comparison decides what the conditions leave open; `baseline` is the result of the baseline query.
 */
export function judge(
  criterion: Criterion,
  reading: QueryResult,
  baseline: QueryResult = { kind: "none" },
): MeasurementOutcome {
  const value = numberOf(reading);
  if (typeof value === "string") return unmeasured(value);
  const outcome = judgeValue(criterion, value, baseline);
  const stable = numberOf(baseline);
  return typeof stable === "string" ? outcome : { ...outcome, baseline: stable };
}

/** Returns the number, or why there is none. */
export function numberOf(reading: QueryResult): number | string {
  if (reading.kind === "none") return reading.reason ?? "the query returned nothing";
  if (reading.kind === "several") return `the query returned ${reading.count} series`;
  return Number.isFinite(reading.value) ? reading.value : `the query returned ${reading.value}`;
}

/** Returns the outcome of a query that was not answered, was rejected, or returned no number. */
export function unmeasured(reason: string): MeasurementOutcome {
  return { verdict: "error", value: null, note: reason };
}

function judgeValue(
  { success, failure, comparison }: Criterion,
  value: number,
  baseline: QueryResult,
): MeasurementOutcome {
  if (failure !== null && meets(value, failure)) {
    const stable = comparison === null ? null : numberOf(baseline);
    const note = `${value}: ${failure.text}`;
    return typeof stable === "number" && meets(stable, failure)
      ? { verdict: "inconclusive", value, note: `${note}; the stable pods, ${stable}, meet it too` }
      : { verdict: "fail", value, note };
  }
  if (success !== null && meets(value, success)) return { verdict: "pass", value, note: null };
  if (comparison !== null) return compareValue(value, numberOf(baseline), comparison);
  if (success === null) return { verdict: "pass", value, note: null };
  if (failure === null) return { verdict: "fail", value, note: `${value}: not ${success.text}` };
  return { verdict: "inconclusive", value, note: `${value}: neither ${success.text} nor ${failure.text}` };
}

/** A baseline that is unknown is an error. An increase from 0 has no percentage, so it is inconclusive. */
function compareValue(value: number, baseline: number | string, { margin }: Comparison): MeasurementOutcome {
  if (typeof baseline === "string") return unmeasured(`baseline: ${baseline}`);
  if (!isBeyond(margin, value, limitOf(margin, baseline))) return { verdict: "pass", value, note: null };
  if (baseline === 0 && margin.absolute === 0)
    return { verdict: "inconclusive", value, note: `${value}: the baseline is 0` };
  const side = margin.direction === 1 ? "above" : "below";
  return { verdict: "fail", value, note: `${value}: over ${margin.text} ${side} the baseline ${baseline}` };
}
