import { secondsBetween } from "../../domain/text/rfc3339.ts";
import { isPaused } from "../../domain/workload/canary/progress.ts";
import type { Workload } from "../../domain/workload/workload.ts";
import type { Metrics } from "../../ports/metrics.ts";
import { type PollCounters, sum } from "./report.ts";

interface PollOutcome {
  readonly counters: PollCounters;
  /** Read by the first part of a poll; null for any other part, and for a poll of selected workloads. */
  readonly gauges: ClusterGauges | null;
  /** How long the whole poll took, known to its last part; null for any other. */
  readonly durationSeconds: number | null;
  /** Workloads that wait for the next poll. */
  readonly unreached: number;
}

/** Records the metrics of a poll, or of one part of it. Counters add up over the parts. */
export function recordPollMetrics(
  metrics: Metrics,
  { counters, gauges, durationSeconds, unreached }: PollOutcome,
): void {
  for (const [namespace, evaluated] of counters.namespaces) {
    metrics.record("claw_autoupdate_checks_total", evaluated, { namespace });
  }
  for (const [error, count] of counters.errors) metrics.record("pawl_errors_total", count, { error });
  metrics.record("pawl_poll_errors_total", sum(counters.errors) + unreached, {});
  if (unreached > 0) metrics.record("pawl_poll_unreached_total", unreached, {});
  if (durationSeconds !== null) {
    metrics.record("pawl_polls_total", 1, {});
    metrics.record("pawl_poll_duration_seconds", durationSeconds, {});
  }
  if (gauges === null) return;
  metrics.record("pawl_in_flight", gauges.inFlight, {});
  metrics.record("pawl_oldest_claim_overdue_seconds", gauges.oldestOverdueSeconds, {});
  metrics.record("claw_autoupdate_circuit_open", gauges.circuitsOpen, {});
}

/** The state of the whole cluster at one moment. */
export interface ClusterGauges {
  inFlight: number;
  /** 0 if none is overdue. */
  oldestOverdueSeconds: number;
  circuitsOpen: number;
}

export function emptyGauges(): ClusterGauges {
  return { inFlight: 0, oldestOverdueSeconds: 0, circuitsOpen: 0 };
}

/** Updates `gauges` from every workload that is listed. The first part of a poll lists all workloads, also deferred ones. */
export async function* withGauges(
  workloads: AsyncIterable<Workload>,
  gauges: ClusterGauges,
  now: () => Date,
): AsyncGenerator<Workload> {
  for await (const workload of workloads) {
    if (workload.inFlight !== null) gauges.inFlight += 1;
    if (workload.updateRecord.circuitOpen) gauges.circuitsOpen += 1;
    gauges.oldestOverdueSeconds = Math.max(gauges.oldestOverdueSeconds, overdueSeconds(workload, now()));
    yield workload;
  }
}

/**
 * Returns how long ago the health timeout of the update in flight expired; 0 or less if it has not, if it does not count, or none is
 * in flight. While metrics are measured the timeout starts at the last measurement, and without any at the end of the bake time,
 * or at the step of a canary. A canary that is paused is not overdue.
 */
function overdueSeconds({ inFlight, policy, analysis, canaryProgress }: Workload, now: Date): number {
  const { phase, startedAt = "malformed", observation } = inFlight ?? {};
  if (startedAt === "malformed" || observation?.kind === "waiting") return 0;
  if (canaryProgress !== null && isPaused(canaryProgress)) return 0;
  const isBaking = observation?.kind === "baking";
  const bakeSeconds = isBaking ? (policy.bake?.seconds ?? 0) : 0;
  const observedAt = isBaking ? observation.since : (canaryProgress?.since ?? observation?.at);
  const measuredAt = phase === "canary" || isBaking ? analysis?.measurements.at(-1)?.at : undefined;
  const sinceObserved = secondsBetween(observedAt ?? startedAt, now) - bakeSeconds;
  const sinceMeasured = measuredAt === undefined ? sinceObserved : secondsBetween(measuredAt, now);
  return Math.min(sinceObserved, sinceMeasured) - policy.healthTimeoutSeconds;
}
