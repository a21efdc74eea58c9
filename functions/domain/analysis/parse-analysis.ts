import * as v from "valibot";
import { formatDuration } from "../text/duration.ts";
import { type SchemaProblem, validate } from "../text/schema-problems.ts";
import { closedObject, crossCheck, durationSeconds, parsedBy, unique } from "../text/schema.ts";
import { jobSeconds, knownSeconds } from "./job-metric.ts";
import { measurementCount, metricSchema, resolveMetric, unreachableLimits } from "./parse-metric.ts";
import { firstDelaySeconds, metricIntervalSeconds } from "./period.ts";
import { prometheus as prometheusProvider } from "./providers/prometheus.ts";
import type { Endpoint } from "./providers/provider.ts";
import type { AnalysisSpec, MetricSpec } from "./spec.ts";

const day = 86_400;
const defaultIntervalSeconds = 60;
export const maxMetrics = 10;
export const defaultNoDataTimeoutSeconds = 900;

type Timing = Pick<AnalysisSpec, "intervalSeconds" | "initialDelaySeconds" | "noDataTimeoutSeconds">;

const schema = v.pipe(
  closedObject({
    prometheus: v.nullish(
      v.pipe(v.string("the address of a Prometheus"), v.trim(), parsedBy(prometheusProvider.parse)),
      null,
    ),
    interval: v.nullish(durationSeconds(1, day)),
    initialDelay: v.nullish(durationSeconds(0, day)),
    warmUp: v.nullish(durationSeconds(0, day)),
    count: v.nullish(measurementCount, null),
    deadline: v.nullish(durationSeconds(1, 7 * day)),
    noDataTimeout: v.nullish(durationSeconds(0, day)),
    metrics: v.pipe(
      v.array(metricSchema, `a list of 1 to ${maxMetrics} metrics`),
      v.minLength(1),
      v.maxLength(maxMetrics),
      unique((metric) => (metric as { readonly name?: unknown } | null)?.name, "name"),
      crossCheck([], (metrics) => {
        if (
          metrics.length === 0 ||
          !metrics.every((metric: { readonly dryRun?: unknown } | null) => metric?.dryRun === true)
        )
          return [];
        return [{ path: [], reason: "are all dry runs: nothing would decide" }];
      }),
    ),
  }),
  crossCheck(["count", "metrics"], ({ metrics, count }) =>
    metrics.flatMap((metric, index) =>
      unreachableLimits(resolveMetric(metric, count ?? null)).map(([field, reason]) => {
        return { path: ["metrics", index, field], reason };
      }),
    ),
  ),
  crossCheck(["count", "metrics", "interval", "initialDelay", "warmUp", "deadline", "noDataTimeout"], (written) => {
    const spec = resolveAnalysis(written);
    const minSeconds = Math.max(0, ...deciding(spec.metrics).map((metric) => shortestSeconds(metric, spec)));
    if (typeof written.deadline !== "number" || written.deadline > minSeconds) return [];
    const reason = `is too short: a success takes ${formatDuration(minSeconds)} of measurements`;
    return [{ path: ["deadline"], reason }];
  }),
  v.transform((written) => resolveAnalysis(written)),
);

/** Parses an analysis, as read from YAML or JSON. Returns every problem at once, each with the path of its field. */
export function parseAnalysis(input: unknown): AnalysisSpec | SchemaProblem[] {
  const validation = validate(schema, input, "analysis");
  return validation.kind === "valid" ? validation.value : validation.problems;
}

interface WrittenAnalysis {
  readonly prometheus: Endpoint | null;
  readonly interval?: number | null | undefined;
  readonly initialDelay?: number | null | undefined;
  readonly warmUp?: number | null | undefined;
  readonly count: number | null;
  readonly deadline?: number | null | undefined;
  readonly noDataTimeout?: number | null | undefined;
  readonly metrics: readonly v.InferOutput<typeof metricSchema>[];
}

function resolveAnalysis({ prometheus, count, ...written }: WrittenAnalysis): AnalysisSpec {
  const timing = {
    intervalSeconds: written.interval ?? defaultIntervalSeconds,
    initialDelaySeconds: written.initialDelay ?? 0,
    noDataTimeoutSeconds: written.noDataTimeout ?? defaultNoDataTimeoutSeconds,
  };
  const metrics = divideAlpha(written.metrics.map((metric) => resolveMetric(metric, count))).map((metric) => {
    const warmUpSeconds = written.warmUp ?? metric.warmUpSeconds;
    return { ...withAddress(metric, prometheus?.address ?? null), warmUpSeconds };
  });
  const deadlineSeconds = written.deadline ?? defaultDeadline(metrics, timing);
  return { kind: "analysis", ...timing, deadlineSeconds, metrics };
}

/** The false failures of a run are those of all its tests together (Bonferroni). */
function divideAlpha(metrics: readonly MetricSpec[]): readonly MetricSpec[] {
  const tests = deciding(metrics).filter(({ criterion }) => criterion.comparison?.test).length;
  return metrics.map((metric) => {
    const { comparison } = metric.criterion;
    if (!comparison?.test) return metric;
    const test = { ...comparison.test, alpha: comparison.test.alpha / Math.max(1, tests) };
    return { ...metric, criterion: { ...metric.criterion, comparison: { ...comparison, test } } };
  });
}

function withAddress(metric: MetricSpec, address: string | null): MetricSpec {
  const { provider } = metric;
  return provider.kind === "prometheus" ? { ...metric, provider: { ...provider, address } } : metric;
}

function deciding(metrics: readonly MetricSpec[]): readonly MetricSpec[] {
  return metrics.filter(({ dryRun }) => !dryRun);
}

/** Twice the time that it takes to use up every limit, so that a slow run still ends. */
function defaultDeadline(metrics: readonly MetricSpec[], timing: Timing): number {
  const { noDataTimeoutSeconds } = timing;
  const seconds = deciding(metrics).map(
    (metric) => maxMeasurements(metric) * (metricIntervalSeconds(metric, timing) + jobSeconds(metric)),
  );
  const delaySeconds = Math.max(0, ...deciding(metrics).map((metric) => firstDelaySeconds(metric, timing)));
  return delaySeconds + 2 * Math.max(0, ...seconds) + noDataTimeoutSeconds;
}

/** Without a count, each failure and each inconclusive measurement can restart the row of successes. */
function maxMeasurements({ count, consecutiveSuccesses, failureLimit, inconclusiveLimit }: MetricSpec): number {
  if (count !== null) return count + inconclusiveLimit;
  return Number(consecutiveSuccesses) * (1 + failureLimit + inconclusiveLimit);
}

function shortestSeconds(metric: MetricSpec, timing: Timing): number {
  const measurements = metric.consecutiveSuccesses ?? Number(metric.count);
  const pauses = (measurements - 1) * metricIntervalSeconds(metric, timing);
  return firstDelaySeconds(metric, timing) + pauses + measurements * knownSeconds(metric);
}
