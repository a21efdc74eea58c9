import { secondsBetween } from "../domain/time.ts";
import type { Workload } from "../domain/workload.ts";

/** What is true of the whole cluster at one moment. */
export interface Gauges {
  inFlight: number;
  /** 0 where none is overdue. */
  oldestOverdueSeconds: number;
  circuitsOpen: number;
}

export function noGauges(): Gauges {
  return { inFlight: 0, oldestOverdueSeconds: 0, circuitsOpen: 0 };
}

/**
 * Reads the gauges off every workload that passes by. Each part of a poll lists all of them, also those that it does not
 * look at: so the first part can say what is true of the whole.
 */
export async function* gauged(
  workloads: AsyncIterable<Workload>,
  gauges: Gauges,
  now: () => Date,
): AsyncGenerator<Workload> {
  for await (const workload of workloads) {
    if (workload.inFlight !== null) gauges.inFlight += 1;
    if (workload.bookkeeping.circuitOpen) gauges.circuitsOpen += 1;
    gauges.oldestOverdueSeconds = Math.max(gauges.oldestOverdueSeconds, overdueSeconds(workload, now()));
    yield workload;
  }
}

/**
 * How long ago the update in flight ran out of its health timeout; not above 0 where it has not, or none is in flight. A
 * canary that is measured has until then from its last measurement on.
 */
function overdueSeconds({ inFlight, policy, analysis }: Workload, now: Date): number {
  if (inFlight === null || inFlight.startedAt === "malformed") return 0;
  const measuredAt = inFlight.phase === "canary" ? analysis?.measurements.at(-1)?.at : undefined;
  return secondsBetween(measuredAt ?? inFlight.startedAt, now) - policy.healthTimeoutSeconds;
}
