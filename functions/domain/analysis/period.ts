import { fromEpoch, secondsBetween } from "../text/rfc3339.ts";
import type { AnalysisSpec, MetricSpec } from "./spec.ts";

/** How late data points arrive: a period is evaluated this long after its end. */
const arrivalSeconds = 120;

/** Returns the start of the last period that is complete, and whose data points have arrived. */
export function lastPeriodStart(at: Date, periodSeconds: number): Date {
  const period = periodSeconds * 1000;
  return fromEpoch((Math.floor((at.getTime() - arrivalSeconds * 1000) / period) - 1) * period);
}

/** Returns how long after this moment the first period that begins at it, or later, can be evaluated. */
export function secondsUntilFirstPeriod(since: Date, periodSeconds: number): number {
  const period = periodSeconds * 1000;
  const start = fromEpoch(Math.ceil(since.getTime() / period) * period);
  return secondsBetween(since, start) + periodSeconds + arrivalSeconds;
}

/** Returns how long after a measurement the next period can be evaluated: each counts once. */
export function secondsUntilNextPeriod(measuredAt: Date, periodSeconds: number): number {
  const next = lastPeriodStart(measuredAt, periodSeconds).getTime() + periodSeconds * 1000;
  return secondsBetween(measuredAt, fromEpoch(next)) + periodSeconds + arrivalSeconds;
}

/** Returns how long after the start of a run the first measurement of a metric may have to wait. */
export function maxDelaySeconds(
  { periodSeconds, rangeSeconds }: Pick<MetricSpec, "periodSeconds" | "rangeSeconds">,
  { initialDelaySeconds }: Pick<AnalysisSpec, "initialDelaySeconds">,
): number {
  const ownSeconds = periodSeconds === null ? rangeSeconds : 2 * periodSeconds + arrivalSeconds;
  return Math.max(initialDelaySeconds, ownSeconds);
}

/** Returns the shortest time between two measurements of a metric. */
export function metricIntervalSeconds(
  { periodSeconds, rangeSeconds, overlaps }: Pick<MetricSpec, "periodSeconds" | "rangeSeconds" | "overlaps">,
  { intervalSeconds }: Pick<AnalysisSpec, "intervalSeconds">,
): number {
  return Math.max(intervalSeconds, periodSeconds ?? 0, overlaps ? 0 : rangeSeconds);
}
