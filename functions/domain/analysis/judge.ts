import { type Criterion, meets } from "./condition.ts";
import type { QueryResult } from "./query-result.ts";

/** Not ordered: each has a limit of its own. */
export type Verdict = "pass" | "fail" | "inconclusive" | "error";

/** The result of one measurement. */
export interface MeasurementOutcome {
  readonly verdict: Verdict;
  /** Always finite; null for an error, and only then. */
  readonly value: number | null;
  /** Why it did not pass; null if it did. */
  readonly note: string | null;
  /** The value of the stable pods, always finite; absent if there is none. */
  readonly baseline?: number;
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
function numberOf(reading: QueryResult): number | string {
  if (reading.kind === "none") return reading.reason ?? "the query returned nothing";
  if (reading.kind === "several") return `the query returned ${reading.count} series`;
  return Number.isFinite(reading.value) ? reading.value : `the query returned ${reading.value}`;
}

/** Returns the outcome of a query that was not answered, was rejected, or returned no number. */
export function unmeasured(reason: string): MeasurementOutcome {
  return { verdict: "error", value: null, note: reason };
}

function judgeValue(
  { success, failure, maxIncreasePercent }: Criterion,
  value: number,
  baseline: QueryResult,
): MeasurementOutcome {
  if (failure !== null && meets(value, failure)) return { verdict: "fail", value, note: `${value}: ${failure.text}` };
  if (success !== null && meets(value, success)) return { verdict: "pass", value, note: null };
  if (maxIncreasePercent !== null) return compareValue(value, numberOf(baseline), maxIncreasePercent);
  if (success === null) return { verdict: "pass", value, note: null };
  if (failure === null) return { verdict: "fail", value, note: `${value}: not ${success.text}` };
  return { verdict: "inconclusive", value, note: `${value}: neither ${success.text} nor ${failure.text}` };
}

/** A baseline that is unknown is an error. An increase from 0 has no percentage, so it is inconclusive. */
function compareValue(value: number, baseline: number | string, maxIncreasePercent: number): MeasurementOutcome {
  if (typeof baseline === "string") return unmeasured(`baseline: ${baseline}`);
  const max = baseline + (Math.abs(baseline) * maxIncreasePercent) / 100;
  if (value <= max) return { verdict: "pass", value, note: null };
  if (baseline === 0) return { verdict: "inconclusive", value, note: `${value}: the baseline is 0` };
  return { verdict: "fail", value, note: `${value}: over ${maxIncreasePercent}% above the baseline ${baseline}` };
}
