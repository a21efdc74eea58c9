import type { ComparisonState } from "../domain/analysis/comparison/comparison.ts";
import { judgeRun } from "../domain/analysis/comparison/judge-run.ts";
import { judge, type MeasurementOutcome } from "../domain/analysis/judge.ts";
import type { MetricSpec, QuerySource } from "../domain/analysis/spec.ts";
import type { MetricProvider } from "../ports/metric-provider.ts";

type Open<Provider> = (address: QuerySource) => Promise<Provider>;

/** Returns a function that opens each provider once. */
export function shareProviders<Provider>(open: Open<Provider>): Open<Provider> {
  const opened = new Map<string, Promise<Provider>>();
  return (address) => {
    const key = JSON.stringify(address);
    const provider = opened.get(key) ?? open(address);
    opened.set(key, provider);
    return provider;
  };
}

export interface QuerySourceMetric {
  readonly outcome: MeasurementOutcome;
  readonly warnings: readonly string[];
}

/**
 * Queries a metric, and its baseline about the same moment, and judges it. The provider's clock defines the moment: that of Pawl may
 * differ. `before` is what a test has compared in the run so far. Throws what the provider throws.
 */
export async function queryMetric(
  provider: MetricProvider,
  metric: MetricSpec,
  before?: ComparisonState,
): Promise<QuerySourceMetric> {
  const { query, baselineQuery, denominator, criterion, arrivalSeconds } = metric;
  const ask = (text: string, at?: Date) => provider.query(text, at, arrivalSeconds);
  const reading = await ask(query);
  if (baselineQuery === null || reading.kind !== "value")
    return { outcome: judge(criterion, reading), warnings: reading.warnings };
  const queryThen = (other: string | null) => (other === null ? null : ask(other, reading.at ?? undefined));
  const [baseline, own, other] = await Promise.all([
    ask(baselineQuery, reading.at ?? undefined),
    queryThen(denominator && denominator.query),
    queryThen(denominator && denominator.baselineQuery),
  ]);
  const warnings = [...new Set([reading, baseline, own, other].flatMap((one) => one?.warnings ?? []))];
  const results = { canary: reading, stable: baseline, canaryDenominator: own, stableDenominator: other };
  return { outcome: judgeRun(metric, results, before) ?? judge(criterion, reading, baseline), warnings };
}
