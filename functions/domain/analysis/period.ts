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

/** Returns how long after the start of a run the first measurement of a metric may have to wait. */
export function maxDelaySeconds(
  metric: Pick<MetricSpec, "periodSeconds" | "arrivalSeconds" | "rangeSeconds" | "warmUpSeconds" | "timing">,
  spec: Pick<AnalysisSpec, "initialDelaySeconds">,
): number {
  const { periodSeconds, arrivalSeconds, rangeSeconds, warmUpSeconds, timing } = metric;
  const ownSeconds = periodSeconds === null ? rangeSeconds : 2 * periodSeconds + arrivalSeconds;
  return Math.max((timing ?? spec).initialDelaySeconds, warmUpSeconds, ownSeconds);
}

/** Returns the shortest time between two measurements of a metric. */
export function metricIntervalSeconds(
  {
    periodSeconds,
    rangeSeconds,
    overlaps,
    timing,
  }: Pick<MetricSpec, "periodSeconds" | "rangeSeconds" | "overlaps" | "timing">,
  spec: Pick<AnalysisSpec, "intervalSeconds">,
): number {
  return Math.max((timing ?? spec).intervalSeconds, periodSeconds ?? 0, overlaps ? 0 : rangeSeconds);
}

/** How long an analysis measures, whatever it says itself. `what` names that time. */
export interface RunTime {
  readonly what: string;
  readonly seconds: number;
}

/** Returns why metrics that decide would not be measured within this time; null if all are. */
export function shortRunProblem(spec: AnalysisSpec, { what, seconds }: RunTime): string | null {
  const late = spec.metrics.filter((metric) => !metric.dryRun && maxDelaySeconds(metric, spec) > seconds);
  if (late.length === 0) return null;
  const delays = late.map((metric) => `${metric.name} after ${formatDuration(maxDelaySeconds(metric, spec))}`);
  return `${what} of ${formatDuration(seconds)} is too short: the first measurement is that of ${delays.join(", ")}; make it longer, or the range, period, warmUp or initialDelay shorter`;
}
