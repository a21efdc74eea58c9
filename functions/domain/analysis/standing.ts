import type { Verdict } from "./judge.ts";
import type { MetricSpec } from "./spec.ts";
import { tallyOf } from "./measure.ts";
import type { AnalysisState } from "./state.ts";

/** How one metric stands in a run: still measured, or done. */
export type Standing = { readonly kind: "running" } | { readonly kind: Verdict; readonly reason: string };

/**
 * The gravest first: a metric over its failure limit has failed whatever else is true of it. Errors and inconclusive
 * measurements do not count towards `count`: they say nothing of the canary.
 */
export function standingOf(metric: MetricSpec, state: AnalysisState): Standing {
  const tally = tallyOf(state, metric.name);
  const { failureLimit, consecutiveErrorLimit, inconclusiveLimit } = metric;
  if (tally.failures > failureLimit) return over("fail", metric, state, "failures", tally.failures, failureLimit);
  if (tally.consecutiveErrors > consecutiveErrorLimit) {
    return over("error", metric, state, "errors in a row", tally.consecutiveErrors, consecutiveErrorLimit);
  }
  if (tally.inconclusive > inconclusiveLimit) {
    return over("inconclusive", metric, state, "inconclusive", tally.inconclusive, inconclusiveLimit);
  }
  const needed = metric.consecutiveSuccesses;
  const passed = `${metric.name}: ${tally.passes} passed, ${tally.failures} failed`;
  if (needed !== null && tally.consecutiveSuccesses >= needed) return { kind: "pass", reason: passed };
  if (metric.count === null || tally.passes + tally.failures < metric.count) return { kind: "running" };
  if (needed === null) return { kind: "pass", reason: passed };
  return { kind: "inconclusive", reason: `${passed}, but never ${needed} in a row` };
}

function over(
  kind: Verdict,
  { name }: MetricSpec,
  { measurements }: AnalysisState,
  what: string,
  count: number,
  limit: number,
): Standing {
  const last = measurements.findLast(({ metric, verdict }) => metric === name && verdict === kind);
  const why = last?.note ? `; the last: ${last.note}` : "";
  return { kind, reason: `${name}: ${count} ${what}, ${limit} allowed${why}` };
}
