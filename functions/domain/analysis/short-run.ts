import type { Verdict } from "./judge.ts";
import type { AnalysisSpec, MetricSpec, QuerySource } from "./spec.ts";

/** Returns the analysis with `count` measurements of each metric, without a delay. */
export function limitCount(spec: AnalysisSpec, count: number): AnalysisSpec {
  const metrics = spec.metrics.map((metric) => ({
    ...metric,
    periodSeconds: null,
    rangeSeconds: 0,
    warmUpSeconds: 0,
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

export type QueriedMetric = MetricSpec & { readonly provider: QuerySource };

interface SplitAnalysis {
  /** Without the Jobs. */
  readonly spec: AnalysisSpec;
  readonly metrics: readonly QueriedMetric[];
  readonly jobs: readonly MetricSpec[];
}

/** Separates the metrics that are Jobs: these need an update, whose version they get. */
export function splitJobs(spec: AnalysisSpec): SplitAnalysis {
  const metrics = spec.metrics.filter((metric): metric is QueriedMetric => metric.provider.kind !== "job");
  return { spec: { ...spec, metrics }, metrics, jobs: spec.metrics.filter(({ provider }) => provider.kind === "job") };
}

export interface RunEnd {
  readonly kind: Verdict;
  readonly reason: string;
}

/** Returns how an analysis ended whose Jobs were not created: what was not measured has not passed. */
export function withoutJobs({ kind, reason }: RunEnd, jobs: readonly MetricSpec[]): RunEnd {
  const missing = jobs.map(({ name, query }) => `${name} is the Job of CronJob ${query}, which was not created`);
  const isOpen = kind === "pass" && jobs.some(({ dryRun }) => !dryRun);
  return { kind: isOpen ? "inconclusive" : kind, reason: [reason, ...missing].filter(Boolean).join("; ") };
}
