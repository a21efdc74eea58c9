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

/** Returns how long after the start of a run the first measurement of a metric may have to wait. */
export function maxDelaySeconds(
  { periodSeconds }: Pick<MetricSpec, "periodSeconds">,
  { initialDelaySeconds }: Pick<AnalysisSpec, "initialDelaySeconds">,
): number {
  return periodSeconds === null
    ? initialDelaySeconds
    : Math.max(initialDelaySeconds, 2 * periodSeconds + arrivalSeconds);
}
