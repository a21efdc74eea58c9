import { numberOf } from "../judge.ts";
import type { QueryResult } from "../query-result.ts";
import type { MetricSpec } from "../spec.ts";
import type { Count } from "./rate-test.ts";

/** What one interval adds to a run: counts of the last interval, or one sample of each side, whose denominator is 1. */
export interface Interval {
  readonly canary: Count;
  readonly stable: Count;
  /** How much of a count is independent. */
  readonly weight: number;
}

/** The results of the queries of a metric that a test judges. The denominators are null for samples. */
export interface IntervalResults {
  readonly canary: QueryResult;
  readonly stable: QueryResult;
  readonly canaryDenominator: QueryResult | null;
  readonly stableDenominator: QueryResult | null;
}

/**
 * `increase()` of Prometheus extrapolates: of a range with four scrapes it sees three of four intervals, and multiplies what it counts by 4/3.
 * So a count is worth three quarters of what it says.
 */
const extrapolatedWeight = 0.75;

/** Returns a interval, or why there is none. */
export function intervalOf({ provider }: Pick<MetricSpec, "provider">, results: IntervalResults): Interval | string {
  const { canaryDenominator, stableDenominator } = results;
  const isRate = canaryDenominator !== null && stableDenominator !== null;
  const sample: QueryResult = { kind: "value", value: 1 };
  const read = [
    ["the canary", results.canary],
    ["the stable pods", results.stable],
    ["the denominator of the canary", canaryDenominator ?? sample],
    ["the denominator of the stable pods", stableDenominator ?? sample],
  ] as const;
  const values: number[] = [];
  for (const [what, result] of read) {
    const value = numberOf(result);
    if (typeof value === "string") return `${what}: ${value}`;
    if (isRate && value < 0) return `${what}: ${value} is no count, which is never negative`;
    values.push(value);
  }
  const [canary, stable, canaryOf, stableOf] = values as [number, number, number, number];
  return {
    canary: { numerator: canary, denominator: canaryOf },
    stable: { numerator: stable, denominator: stableOf },
    weight: provider.kind === "prometheus" ? extrapolatedWeight : 1,
  };
}
