import type { PrometheusAddress } from "../domain/analysis/address.ts";
import type { QueryResult } from "../domain/analysis/query-result.ts";

export type MetricReading = QueryResult & {
  /** Warnings of the source about the query or its result; usually empty. */
  readonly warnings: readonly string[];
};

/**
 * A Prometheus, or another implementation of its query API.
 * Throws `Unreachable` (no complete answer in time, or a 5xx), `Throttled` (429) or `QueryRejected` (any other 4xx, a redirect, or a
 * result that is not a number: a retry would not help).
 */
export interface MetricProvider {
  /** Returns the value of an instant query, evaluated at the time of the source's own clock. NaN and infinities are values. */
  query(query: string): Promise<MetricReading>;
}

/** Returns the Prometheus at an address; null is the first of the deployment. Throws `QueryRejected`. */
export type MetricProviders = (address: PrometheusAddress | null) => Promise<MetricProvider>;
