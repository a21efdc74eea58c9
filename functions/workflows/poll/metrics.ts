import type { Ports } from "../../contract/ports.ts";
import { secondsBetween } from "../../domain/text/rfc3339.ts";
import { isPaused } from "../../domain/workload/canary/progress.ts";
import type { Workload } from "../../domain/workload/workload.ts";
import type { Metrics } from "../../ports/metrics.ts";
import { type PollCounters } from "./report.ts";
import { addCounts, type BatchReport, sumCounts } from "../../domain/execution/poll-totals.ts";

/** What the metrics of a poll are recorded from. */
interface PollOutcome extends Pick<BatchReport, "evaluated" | "unreached" | "errors" | "failures" | "refusals"> {
  /** null for a poll of selected workloads. */
  readonly durationSeconds: number | null;
  /** Workloads that were left out because they ended a function. */
  readonly quarantined: number;
}

/**
 * Records how many workloads were evaluated, and what Step Functions delayed, which is no error of the poll. A poll of many batches
 * counts them in each.
 */
export function recordCheckMetrics(
  metrics: Metrics,
  { namespaces, delays, costs, exceeded }: Pick<PollCounters, "namespaces" | "delays" | "costs" | "exceeded">,
): void {
  for (const [namespace, count] of exceeded) metrics.record("pawl_budget_exceeded_total", count, { namespace });
  const milliseconds = costs.reduce((total, { cpuMilliseconds }) => total + cpuMilliseconds, 0);
  if (costs.length > 0) metrics.record("pawl_expensive_workloads_cpu_seconds", milliseconds / 1000, {});
  for (const [namespace, evaluated] of namespaces) {
    metrics.record("claw_autoupdate_checks_total", evaluated, { namespace });
  }
  for (const [error, count] of delays) metrics.record("pawl_errors_total", count, { error });
}

/** Records the metrics of a whole poll. */
export function recordPollMetrics(metrics: Metrics, outcome: PollOutcome): void {
  const { evaluated, unreached, quarantined, durationSeconds } = outcome;
  const errors = addCounts(outcome.errors, outcome.refusals);
  for (const [error, count] of Object.entries(errors)) metrics.record("pawl_errors_total", count, { error });
  const isolated = countIsolated(addCounts(outcome.failures, outcome.refusals), evaluated);
  const isolatedOrQuarantined = isolated + quarantined;
  if (isolatedOrQuarantined > 0) metrics.record("pawl_workload_errors_total", isolatedOrQuarantined, {});
  metrics.record("pawl_poll_errors_total", sumCounts(errors) - isolated + unreached, {});
  if (unreached > 0) metrics.record("pawl_poll_unreached_total", unreached, {});
  if (quarantined > 0) metrics.record("pawl_poll_quarantined_total", quarantined, {});
  if (durationSeconds === null) return;
  metrics.record("pawl_polls_total", 1, {});
  metrics.record("pawl_poll_duration_seconds", durationSeconds, {});
}

/** Records the state of the whole cluster, and the age of what signatures are verified by. */
export function recordGauges(
  { metrics, verifier, now }: Pick<Ports, "metrics" | "verifier" | "now">,
  gauges: ClusterGauges,
): void {
  const { oldestRoot } = verifier;
  if (oldestRoot !== undefined)
    metrics.record("pawl_trusted_root_age_days", Math.floor(secondsBetween(oldestRoot, now()) / 86_400), {});
  metrics.record("pawl_in_flight", gauges.inFlight, {});
  metrics.record("pawl_oldest_claim_overdue_seconds", gauges.oldestOverdueSeconds, {});
  metrics.record("claw_autoupdate_circuit_open", gauges.circuitsOpen, {});
}

const maxIsolated = 2;
const maxIsolatedShare = 0.1;

/**
 * Counts the errors of single workloads: at most two workloads, or a tenth of them, failed for the same cause. They do not show that a
 * registry, a login or the poll itself is broken.
 */
function countIsolated(causes: Readonly<Record<string, number>>, evaluated: number): number {
  const limit = Math.max(maxIsolated, maxIsolatedShare * evaluated);
  return Object.values(causes)
    .filter((count) => count <= limit)
    .reduce((total, count) => total + count, 0);
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

/** Updates `gauges` from every workload that is listed. */
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
  const { phase, startedAt = "malformed", observation, revertedAt, parked } = inFlight ?? {};
  if (startedAt === "malformed" || observation?.kind === "waiting" || parked !== undefined) return 0;
  if (canaryProgress !== null && isPaused(canaryProgress)) return 0;
  const isBaking = observation?.kind === "baking";
  const bakeSeconds = isBaking ? (policy.bake?.seconds ?? 0) : 0;
  const observedAt = isBaking ? observation.since : (revertedAt ?? canaryProgress?.since ?? observation?.at);
  const measuredAt = phase === "canary" || isBaking ? analysis?.measurements.at(-1)?.at : undefined;
  const sinceObserved = secondsBetween(observedAt ?? startedAt, now) - bakeSeconds;
  const sinceMeasured = measuredAt === undefined ? sinceObserved : secondsBetween(measuredAt, now);
  return Math.min(sinceObserved, sinceMeasured) - policy.healthTimeoutSeconds;
}
