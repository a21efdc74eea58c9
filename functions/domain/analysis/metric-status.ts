import type { Verdict } from "./judge.ts";
import type { MetricSpec } from "./spec.ts";
import { countsOf } from "./measure.ts";
import type { AnalysisState } from "./state.ts";

/** The status of one metric in a run: still measured, or completed. */
export type MetricStatus = { readonly kind: "running" } | { readonly kind: Verdict; readonly reason: string };

/**
 * Computes the status of a metric, with the highest severity first. Errors and inconclusive measurements do not count
 * towards `count`, because they say nothing about the canary.
 */
export function metricStatus(metric: MetricSpec, state: AnalysisState): MetricStatus {
  const counts = countsOf(state, metric.name);
  const { failureLimit, consecutiveErrorLimit, inconclusiveLimit } = metric;
  if (counts.failures > failureLimit)
    return overLimit("fail", metric, state, "failures", counts.failures, failureLimit);
  if (counts.consecutiveErrors > consecutiveErrorLimit) {
    return overLimit("error", metric, state, "errors in a row", counts.consecutiveErrors, consecutiveErrorLimit);
  }
  if (counts.inconclusive > inconclusiveLimit) {
    return overLimit("inconclusive", metric, state, "inconclusive", counts.inconclusive, inconclusiveLimit);
  }
  const needed = metric.consecutiveSuccesses;
  const passed = `${metric.name}: ${counts.passes} passed, ${counts.failures} failed`;
  if (needed !== null && counts.consecutiveSuccesses >= needed) return { kind: "pass", reason: passed };
  if (metric.count === null || counts.passes + counts.failures < metric.count) return { kind: "running" };
  if (needed === null) return { kind: "pass", reason: passed };
  return { kind: "inconclusive", reason: `${passed}, but never ${needed} in a row` };
}

function overLimit(
  kind: Verdict,
  { name }: MetricSpec,
  { measurements }: AnalysisState,
  what: string,
  count: number,
  limit: number,
): MetricStatus {
  const last = measurements.findLast(({ metric, verdict }) => metric === name && verdict === kind);
  const lastNote = last?.note ? `; last: ${last.note}` : "";
  return { kind, reason: `${name}: ${count} ${what}, ${limit} allowed${lastNote}` };
}
