import { formatDuration } from "../text/duration.ts";
import { fromEpoch, secondsBetween } from "../text/rfc3339.ts";
import type { AnalysisSpec, MetricSpec } from "./spec.ts";

/** Of what the values of a provider are. */
interface Period {
  readonly periodSeconds: number;
  readonly arrivalSeconds: number;
}

/** Returns the start of the last period that is complete, and whose data points have arrived. */
export function lastPeriodStart(at: Date, { periodSeconds, arrivalSeconds }: Period): Date {
  const period = periodSeconds * 1000;
  return fromEpoch((Math.floor((at.getTime() - arrivalSeconds * 1000) / period) - 1) * period);
}

/** Returns how long after this moment the first period that begins at it, or later, can be evaluated. */
export function secondsUntilFirstPeriod(since: Date, { periodSeconds, arrivalSeconds }: Period): number {
  const period = periodSeconds * 1000;
  const start = fromEpoch(Math.ceil(since.getTime() / period) * period);
  return secondsBetween(since, start) + periodSeconds + arrivalSeconds;
}

/** Returns how long after a measurement the next period can be evaluated: each counts once. */
export function secondsUntilNextPeriod(measuredAt: Date, period: Period): number {
  const next = lastPeriodStart(measuredAt, period).getTime() + period.periodSeconds * 1000;
  return secondsBetween(measuredAt, fromEpoch(next)) + period.periodSeconds + period.arrivalSeconds;
}

/** Returns the timing of a metric: that of its own analysis if several measure, otherwise that of the analysis. */
export function timingOf<Spec>(
  { timing }: Pick<MetricSpec, "timing">,
  spec: Spec,
): Spec | NonNullable<MetricSpec["timing"]> {
  return timing ?? spec;
}

/**
 * Returns how long after the start of a run the first measurement of a metric has to wait; at most, if the start is not known. What a period or a
 * range before it contains is not of the pods that are judged.
 */
export function firstDelaySeconds(
  metric: Pick<MetricSpec, "periodSeconds" | "arrivalSeconds" | "rangeSeconds" | "warmUpSeconds" | "timing">,
  spec: Pick<AnalysisSpec, "initialDelaySeconds">,
  startedAt: Date | null = null,
): number {
  const { periodSeconds, arrivalSeconds, rangeSeconds, warmUpSeconds } = metric;
  const longestSeconds = periodSeconds === null ? rangeSeconds : 2 * periodSeconds + arrivalSeconds;
  const ownSeconds =
    periodSeconds === null || startedAt === null
      ? longestSeconds
      : secondsUntilFirstPeriod(startedAt, { periodSeconds, arrivalSeconds });
  return Math.max(timingOf(metric, spec).initialDelaySeconds, warmUpSeconds, ownSeconds);
}

/** Returns the shortest time between two measurements of a metric. */
export function metricIntervalSeconds(
  metric: Pick<MetricSpec, "periodSeconds" | "rangeSeconds" | "overlaps" | "timing">,
  spec: Pick<AnalysisSpec, "intervalSeconds">,
): number {
  const { periodSeconds, rangeSeconds, overlaps } = metric;
  return Math.max(timingOf(metric, spec).intervalSeconds, periodSeconds ?? 0, overlaps ? 0 : rangeSeconds);
}

/** How long an analysis measures, whatever it says itself. `what` names that time. */
export interface RunTime {
  readonly what: string;
  readonly seconds: number;
}

/** Returns why metrics that decide would not be measured within this time; null if all are. */
export function shortRunProblem(spec: AnalysisSpec, { what, seconds }: RunTime): string | null {
  const late = spec.metrics.filter((metric) => !metric.dryRun && firstDelaySeconds(metric, spec) > seconds);
  if (late.length === 0) return null;
  const delays = late.map((metric) => `${metric.name} after ${formatDuration(firstDelaySeconds(metric, spec))}`);
  return `${what} of ${formatDuration(seconds)} is too short: the first measurement is that of ${delays.join(", ")}; make it longer, or the range, period, warmUp or initialDelay shorter`;
}
