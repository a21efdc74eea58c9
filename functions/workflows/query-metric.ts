import { judge, type Outcome } from "../domain/analysis/judge.ts";
import type { MetricSpec, ProviderAddress } from "../domain/analysis/spec.ts";
import type { MetricProvider } from "../ports/metric-provider.ts";

type Open<Provider> = (address: ProviderAddress) => Promise<Provider>;

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

interface QueriedMetric {
  readonly outcome: Outcome;
  readonly warnings: readonly string[];
}

/** Queries a metric, and its baseline at the same moment, and judges it. Throws what the provider throws. */
export async function queryMetric(
  provider: MetricProvider,
  { query, baselineQuery, criterion }: MetricSpec,
  now: Date,
): Promise<QueriedMetric> {
  if (baselineQuery === null) {
    const reading = await provider.query(query);
    return { outcome: judge(criterion, reading), warnings: reading.warnings };
  }
  const [reading, baseline] = await Promise.all([provider.query(query, now), provider.query(baselineQuery, now)]);
  const warnings = new Set([...reading.warnings, ...baseline.warnings]);
  return { outcome: judge(criterion, reading, baseline), warnings: [...warnings] };
}
