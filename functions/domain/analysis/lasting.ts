import { windowOfLongRun } from "./failure-limit.ts";
import { jobSeconds } from "./job-metric.ts";
import { firstDelaySeconds, metricIntervalSeconds } from "./period.ts";
import type { AnalysisSpec, MetricSpec } from "./spec.ts";

/**
 * Returns an analysis that measures for this time, whatever its counts are. A metric that passes after successes in a row still does,
 * and no metric passes without a success.
 */
export function lasting(spec: AnalysisSpec, seconds: number): AnalysisSpec {
  const { noDataTimeoutSeconds } = spec;
  const metrics = spec.metrics.map((metric): MetricSpec => {
    // Of Jobs, as many as have their whole timeout.
    const spentSeconds = firstDelaySeconds(metric, spec) + jobSeconds(metric);
    const fitting =
      1 + Math.floor(Math.max(0, seconds - spentSeconds) / (metricIntervalSeconds(metric, spec) + jobSeconds(metric)));
    if (metric.count === null) return metric;
    return { ...metric, count: Math.max(fitting, metric.failureLimit + 1), failureWindow: windowOfLongRun(metric) };
  });
  const deadlineSeconds = Math.max(spec.deadlineSeconds, 2 * seconds + noDataTimeoutSeconds);
  return { ...spec, metrics, deadlineSeconds };
}
