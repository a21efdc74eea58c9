import { meets } from "../condition.ts";
import { type MeasurementOutcome, unmeasured } from "../judge.ts";
import type { MetricSpec } from "../spec.ts";
import type { ComparisonState, RunTest } from "./comparison.ts";
import { addInterval, noEvidence, strength } from "./evidence.ts";
import { type Interval, intervalOf, type IntervalResults } from "./interval.ts";
import { limitOf, type Margin } from "./margin.ts";
import { rankRatios } from "./rank-test.ts";
import { type Count, rateRatios } from "./rate-test.ts";

/**
 * Judges a run after one more interval; null if no test judges it. Only the test fails it: a condition that the canary meets by chance is no
 * evidence.
 */
export function judgeRun(
  metric: Pick<MetricSpec, "criterion" | "provider">,
  results: IntervalResults,
  before: ComparisonState | undefined,
): MeasurementOutcome | null {
  const { success, failure, comparison: compared } = metric.criterion;
  if (compared === null || compared.test === null) return null;
  const { margin, test } = compared;
  const interval = intervalOf(metric, results);
  if (typeof interval === "string") return unmeasured(interval);
  const comparison = compare(margin, test, interval, before?.margin === textOf(margin) ? before : undefined);
  const { canary, stable } = comparison;
  const fewest = Math.min(canary.denominator, stable.denominator);
  if (fewest === 0) {
    const note = `${canary.denominator === 0 ? "the canary has" : "the stable pods have"} no requests`;
    return { verdict: "inconclusive", value: null, note, comparison };
  }
  const value = canary.numerator / canary.denominator;
  const baseline = stable.numerator / stable.denominator;
  const measured = { value, baseline, comparison };
  if (fewest < test.minSamples)
    return { ...measured, verdict: "inconclusive", note: `${Math.floor(fewest)} of ${test.minSamples} samples` };
  if (success !== null && meets(value, success)) return { ...measured, verdict: "pass", note: null };
  if (strength(comparison) >= -Math.log(test.alpha))
    return { ...measured, verdict: "fail", note: failureOf(margin, value, comparison) };
  if (failure !== null && meets(value, failure)) {
    const about = meets(baseline, failure) ? "so do the stable pods" : "not above chance";
    return { ...measured, verdict: "inconclusive", note: `${short(value)}: ${failure.text}; ${about}` };
  }
  return { ...measured, verdict: "pass", note: null };
}

/** Sums are kept, and no series. */
function compare(
  margin: Margin,
  { kind }: RunTest,
  { canary, stable, weight }: Interval,
  before: ComparisonState | undefined,
): ComparisonState {
  const sums = { margin: textOf(margin), canary: sum(before?.canary, canary), stable: sum(before?.stable, stable) };
  const evidence = before ?? noEvidence;
  if (kind === "ranks") {
    const empty = { canary: [], stable: [] };
    const { batch, ratios } = rankRatios(margin, before?.batch ?? empty, canary.numerator, stable.numerator);
    return { ...sums, ...addInterval(evidence, ratios), batch };
  }
  // An interval without requests of one side says nothing.
  if (canary.denominator === 0 || stable.denominator === 0) return { ...evidence, ...sums };
  const ratios = rateRatios(margin, canary, stable).map((ratio) => ratio * weight);
  return { ...sums, ...addInterval(evidence, ratios) };
}

function sum(before: Count | undefined, { numerator, denominator }: Count): Count {
  return { numerator: (before?.numerator ?? 0) + numerator, denominator: (before?.denominator ?? 0) + denominator };
}

function failureOf(margin: Margin, value: number, { stable }: ComparisonState): string {
  const baseline = stable.numerator / stable.denominator;
  const side = margin.direction === 1 ? "above" : "below";
  return `${short(value)}: ${side} ${short(limitOf(margin, baseline))}, ${short(baseline)} and ${textOf(margin)}`;
}

function textOf({ direction, text }: Margin): string {
  return `${direction === 1 ? "+" : "-"}${text}`;
}

function short(value: number): string {
  return `${Number(value.toPrecision(3))}`;
}
