import type { PrometheusAddress } from "../domain/analysis/address.ts";
import type { Reading } from "../domain/analysis/reading.ts";

export type MetricReading = Reading & {
  /** What the source wants its users to know of the query or of the answer; mostly empty. */
  readonly warnings: readonly string[];
};

/**
 * One Prometheus, or what speaks its query API.
 * Throws `Unreachable` (no answer in time, a broken one, or a 5xx), `Throttled` (429) or `QueryRefused` (any other 4xx,
 * a redirect, an answer that is no number: asking again would not help).
 */
export interface MetricSource {
  /** The value of an instant query at the source's own present: its clock and ours need not agree. NaN and infinities are values here; what they prove is the domain's. */
  query(query: string): Promise<MetricReading>;
}

/** The Prometheus at an address; null is the one that the deployment is configured with. Throws `QueryRefused`. */
export type MetricSources = (address: PrometheusAddress | null) => Promise<MetricSource>;
