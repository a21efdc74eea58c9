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
 * differ. Throws what the provider throws.
 */
export async function queryMetric(
  provider: MetricProvider,
  { query, baselineQuery, criterion }: MetricSpec,
): Promise<QuerySourceMetric> {
  const reading = await provider.query(query);
  if (baselineQuery === null || reading.kind !== "value")
    return { outcome: judge(criterion, reading), warnings: reading.warnings };
  const baseline = await provider.query(baselineQuery, reading.at ?? undefined);
  const warnings = new Set([...reading.warnings, ...baseline.warnings]);
  return { outcome: judge(criterion, reading, baseline), warnings: [...warnings] };
}
