import { formatDuration } from "../text/duration.ts";
import { assess, type Assessment } from "./assess.ts";
import { windowOfLongRun } from "./failure-limit.ts";
import type { AnalysisSpec, MetricSpec } from "./spec.ts";
import type { AnalysisState } from "./state.ts";

/** Returns the analysis without what is about a canary: metrics that compare it, and a warm-up. null if nothing would decide. */
export function withoutCanary(spec: AnalysisSpec): AnalysisSpec | null {
  const rest = withoutComparisons(spec);
  return rest && { ...rest, metrics: rest.metrics.map((metric) => ({ ...metric, warmUpSeconds: 0 })) };
}

/** Returns the analysis without metrics that compare; null if nothing would decide. */
export function withoutComparisons(spec: AnalysisSpec): AnalysisSpec | null {
  const metrics = spec.metrics.filter(({ baselineQuery }) => baselineQuery === null);
  return metrics.some(({ dryRun }) => !dryRun) ? { ...spec, metrics } : null;
}

/** Returns the analysis without an end: every metric is measured until one fails. What is unknown may become known. */
export function withoutEnd(spec: AnalysisSpec): AnalysisSpec {
  const endless = { count: Infinity, consecutiveSuccesses: null, inconclusiveLimit: Infinity };
  const metrics = spec.metrics.map((metric) => {
    return { ...metric, ...endless, failureWindow: windowOfLongRun(metric), consecutiveErrorLimit: null };
  });
  return { ...spec, metrics, noDataTimeoutSeconds: Infinity, deadlineSeconds: Infinity };
}

/** Returns the verdict of a run that ends after `seconds`: a pass if each metric has enough measurements to be judged, that is one. */
export function conclude(spec: AnalysisSpec, state: AnalysisState, seconds: number, now: Date): Assessment {
  const judged: Partial<MetricSpec> = { count: 1, consecutiveSuccesses: null };
  const metrics = spec.metrics.map((metric) => ({ ...metric, ...judged }));
  const verdict = assess({ ...spec, metrics, deadlineSeconds: Infinity }, state, now);
  if (verdict.kind !== "running") return verdict;
  const missing = metrics.filter(({ name, dryRun }) => !dryRun && !isJudged(state, name)).map(({ name }) => name);
  return { kind: "inconclusive", reason: `not measured within ${formatDuration(seconds)}: ${missing.join(", ")}` };
}

function isJudged({ counts }: AnalysisState, metric: string): boolean {
  const { passes = 0, failures = 0 } = counts.get(metric) ?? {};
  return passes + failures > 0;
}
