import type { MetricSpec } from "./spec.ts";

/** The value of a Job that failed; that of one that succeeded is 0. */
export const failedJob = 1;

/** Returns how long one measurement may take. */
export function jobSeconds({ provider }: Pick<MetricSpec, "provider">): number {
  return provider.kind === "job" ? provider.timeoutSeconds : 0;
}

/** How long after its end a Job is checked, at most. */
const checkSeconds = 60;

/** Returns after what time one measurement is known. */
export function knownSeconds(metric: Pick<MetricSpec, "provider">): number {
  return metric.provider.kind === "job" ? jobSeconds(metric) + checkSeconds : 0;
}
