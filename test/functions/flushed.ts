import type { FakePorts } from "../support/fake-ports.ts";

/** Has the functions find these ports. What was recorded by the time that it was handed over. */
export function flushed(wiring: { ports: unknown }, ports: FakePorts): readonly unknown[] {
  const seen: unknown[] = [];
  const { metrics } = ports;
  wiring.ports = { ...ports, metrics: { ...metrics, flush: () => void seen.push(...metrics.pending) } };
  return seen;
}
