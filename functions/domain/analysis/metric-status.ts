import type { Verdict } from "./judge.ts";
import { formatDuration } from "../text/duration.ts";
import { secondsBetween } from "../text/rfc3339.ts";
import type { MetricSpec } from "./spec.ts";
import { failuresWithin } from "./failure-limit.ts";
import { countsOf } from "./measure.ts";
import type { AnalysisState } from "./state.ts";

/** The status of one metric in a run: still measured, or completed. */
export type MetricStatus = { readonly kind: "running" } | { readonly kind: Verdict; readonly reason: string };

/**
 * Computes the status of a metric, with the highest severity first. Errors and inconclusive measurements do not count
 * towards `count`, because they say nothing about the canary. `noDataTimeoutSeconds` passes between two errors: time
 * without a measurement does not count.
 */
export function metricStatus(metric: MetricSpec, state: AnalysisState, noDataTimeoutSeconds: number): MetricStatus {
  const counts = countsOf(state, metric.name);
  const { failureLimit, failureWindow, consecutiveErrorLimit, inconclusiveLimit } = metric;
  const failures = failureWindow === null ? counts.failures : failuresWithin(counts.recent ?? "", failureWindow);
  if (failures > failureLimit) {
    const isWindow = failureWindow !== null && counts.passes + counts.failures > failureWindow;
    const what = isWindow ? `failures in the last ${failureWindow}` : "failures";
    return overLimit("fail", metric, state, what, failures, failureLimit);
  }
  if (consecutiveErrorLimit !== null && counts.consecutiveErrors > consecutiveErrorLimit) {
    return overLimit("error", metric, state, "errors in a row", counts.consecutiveErrors, consecutiveErrorLimit);
  }
  const { noDataSince, measuredAt } = counts;
  if (noDataSince !== null && measuredAt !== null && secondsBetween(noDataSince, measuredAt) >= noDataTimeoutSeconds) {
    return ended("error", metric, state, `no data for ${formatDuration(noDataTimeoutSeconds)}`);
  }
  if (metric.criterion.comparison?.test) return testStatus(metric, state);
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

/** A test judges the whole run, so its last measurement decides. */
function testStatus(metric: MetricSpec, state: AnalysisState): MetricStatus {
  const { passes, inconclusive, consecutiveSuccesses } = countsOf(state, metric.name);
  const measured = passes + inconclusive;
  if (measured < Number(metric.count)) return { kind: "running" };
  const what = `no difference in ${measured} measurements`;
  if (consecutiveSuccesses > 0) return { kind: "pass", reason: `${metric.name}: ${what}` };
  return ended("inconclusive", metric, state, `not decided by ${measured} measurements`);
}

function overLimit(
  kind: Verdict,
  metric: MetricSpec,
  state: AnalysisState,
  what: string,
  count: number,
  limit: number,
): MetricStatus {
  return ended(kind, metric, state, `${count} ${what}, ${limit} allowed`);
}

function ended(kind: Verdict, { name }: MetricSpec, { measurements }: AnalysisState, what: string): MetricStatus {
  const last = measurements.findLast(({ metric, verdict }) => metric === name && verdict === kind);
  const lastNote = last?.note ? `; last: ${last.note}` : "";
  return { kind, reason: `${name}: ${what}${lastNote}` };
}
