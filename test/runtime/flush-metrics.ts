import type { FakePorts } from "../support/fake-ports.ts";

/** Makes the functions use these ports. Returns the metrics that were recorded before they were flushed. */
export function captureFlushedMetrics(composition: { ports: unknown }, ports: FakePorts): readonly unknown[] {
  const flushedMetrics: unknown[] = [];
  const { metrics } = ports;
  composition.ports = { ...ports, metrics: { ...metrics, flush: () => void flushedMetrics.push(...metrics.pending) } };
  return flushedMetrics;
}
