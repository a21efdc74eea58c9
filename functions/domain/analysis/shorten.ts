import type { AnalysisSpec } from "./spec.ts";

/** The same analysis over so many measurements of each metric, at once. */
export function withCount(spec: AnalysisSpec, count: number): AnalysisSpec {
  const metrics = spec.metrics.map((metric) => ({
    ...metric,
    count,
    consecutiveSuccesses: null,
    failureLimit: Math.min(metric.failureLimit, count - 1),
  }));
  return { ...spec, metrics, initialDelaySeconds: 0, deadlineSeconds: Infinity };
}

/** The same analysis over one measurement of each metric, whatever that says. */
export function once(spec: AnalysisSpec): AnalysisSpec {
  const shortened = withCount(spec, 1);
  const metrics = shortened.metrics.map((metric) => ({ ...metric, inconclusiveLimit: 0, consecutiveErrorLimit: 0 }));
  return { ...shortened, metrics };
}
