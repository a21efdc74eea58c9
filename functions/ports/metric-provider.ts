import type { PendingResult, QueryResult } from "../domain/analysis/query-result.ts";
import type { QuerySource } from "../domain/analysis/spec.ts";

export type MetricReading = QueryResult & {
  /** When the query was evaluated, by the provider's clock; null if the answer does not say. */
  readonly at: Date | null;
  /** Warnings of the provider about the query or its result; usually empty. */
  readonly warnings: readonly string[];
};

/**
 * What measures a canary: a Prometheus, or CloudWatch.
 * Throws `Unreachable` (no complete answer in time, or a 5xx), `Throttled` (429) or `QueryRejected` (any other 4xx, a redirect, or a
 * result that is not a number: a retry would not help).
 */
export interface MetricProvider {
  /**
   * Returns the value of a query at a time; by default now, by the provider's clock. NaN and infinities are values. A provider whose values are
   * those of periods returns the last one that ended `arrivalSeconds` before.
   */
  query(query: string, at?: Date, arrivalSeconds?: number): Promise<MetricReading>;
}

/** What measures a canary by a Job, which takes longer: until it has ended, the same query is asked again. */
export interface JobProvider {
  query(job: string): Promise<MetricReading | PendingResult>;
}

/** Returns the provider at an address, without a request. Throws `QueryRejected` if the deployment does not allow it. */
export type MetricProviders = (address: QuerySource) => Promise<MetricProvider>;
