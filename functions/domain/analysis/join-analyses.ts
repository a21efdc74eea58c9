import { maxMetrics } from "./parse-analysis.ts";
import type { AnalysisSpec } from "./spec.ts";

/**
 * Joins the analyses that measure together. Each metric keeps the interval and the delay of its own one; the longest deadline and
 * `noDataTimeout` hold for all. Returns the reason if they cannot be joined.
 */
export function joinAnalyses(specs: readonly AnalysisSpec[]): AnalysisSpec | string {
  const metrics = specs.flatMap(({ metrics: own, intervalSeconds, initialDelaySeconds }) =>
    own.map((metric) => ({ ...metric, timing: { intervalSeconds, initialDelaySeconds } })),
  );
  const names = metrics.map(({ name }) => name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) return `metric ${repeated} is in several of its analyses; rename one`;
  if (metrics.length > maxMetrics)
    return `its analyses have ${metrics.length} metrics together; use at most ${maxMetrics}`;
  const longest = (secondsOf: (spec: AnalysisSpec) => number) => Math.max(...specs.map(secondsOf));
  return {
    kind: "analysis",
    intervalSeconds: Math.min(...specs.map((spec) => spec.intervalSeconds)),
    initialDelaySeconds: 0,
    deadlineSeconds: longest((spec) => spec.deadlineSeconds),
    noDataTimeoutSeconds: longest((spec) => spec.noDataTimeoutSeconds),
    metrics,
  };
}
