import type { AnalysisSpec } from "./spec.ts";

/** Returns the analysis with `count` measurements of each metric, without a delay. */
export function limitCount(spec: AnalysisSpec, count: number): AnalysisSpec {
  const metrics = spec.metrics.map((metric) => ({
    ...metric,
    periodSeconds: null,
    count,
    consecutiveSuccesses: null,
    failureLimit: Math.min(metric.failureLimit, count - 1),
  }));
  return { ...spec, metrics, initialDelaySeconds: 0, deadlineSeconds: Infinity };
}

/** Returns the analysis with one measurement of each metric, regardless of the verdict. */
export function measureOnce(spec: AnalysisSpec): AnalysisSpec {
  const shortened = limitCount(spec, 1);
  const metrics = shortened.metrics.map((metric) => ({ ...metric, inconclusiveLimit: 0, consecutiveErrorLimit: 0 }));
  return { ...shortened, metrics };
}
