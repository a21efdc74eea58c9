import type { MetricName, Metrics } from "../ports/metrics.ts";

export interface RecordedMetric {
  readonly name: MetricName;
  readonly value: number;
  readonly labels: Readonly<Record<string, string>>;
}

export interface MemoryMetrics extends Metrics {
  /** Metrics recorded since the last flush, oldest first. */
  readonly pending: readonly RecordedMetric[];
}

/** Creates metrics that are kept in memory; a flush discards them. */
export function createMemoryMetrics(): MemoryMetrics {
  const pending: RecordedMetric[] = [];
  return {
    pending,
    record: (name, value, labels) => void pending.push({ name, value, labels: { ...labels } }),
    flush: () => void (pending.length = 0),
  };
}
