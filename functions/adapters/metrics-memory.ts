import type { MetricName, Metrics } from "../ports/metrics.ts";

export interface MeasuredValue {
  readonly name: MetricName;
  readonly value: number;
  readonly labels: Readonly<Record<string, string>>;
}

export interface MemoryMetrics extends Metrics {
  /** What was recorded since the last flush, oldest first. */
  readonly pending: readonly MeasuredValue[];
}

/** Metrics for where nobody collects them: a flush forgets them. */
export function memoryMetrics(): MemoryMetrics {
  const pending: MeasuredValue[] = [];
  return {
    pending,
    record: (name, value, labels) => void pending.push({ name, value, labels: { ...labels } }),
    flush: () => void (pending.length = 0),
  };
}
