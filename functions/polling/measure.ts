import { secondsBetween } from "../domain/time.ts";
import type { Workload } from "../domain/workload.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { Polled } from "./poll-cluster.ts";

interface Poll {
  readonly polled: readonly Polled[];
  readonly startedAt: Date;
  readonly now: Date;
  /** Whether every workload was looked at: of a part nothing can be said of the whole, and it is no heartbeat. */
  readonly isWhole: boolean;
}

/** Records what a poll that came to its end says of the cluster and of itself. */
export function measurePoll(metrics: Metrics, { polled, startedAt, now, isWhole }: Poll): void {
  const workloads = polled.map(({ workload }) => workload);
  for (const [namespace, checked] of Map.groupBy(workloads, ({ ref }) => ref.namespace)) {
    metrics.record("claw_autoupdate_checks_total", checked.length, { namespace });
  }
  const errors = polled.flatMap((one) => ("error" in one ? [one.error.name] : []));
  for (const [error, same] of Map.groupBy(errors, (name) => name)) {
    metrics.record("pawl_errors_total", same.length, { error });
  }
  metrics.record("pawl_poll_errors_total", errors.length, {});
  if (!isWhole) return;
  const overdue = workloads.map((workload) => overdueSeconds(workload, now));
  metrics.record("pawl_polls_total", 1, {});
  metrics.record("pawl_poll_duration_seconds", secondsBetween(startedAt, now), {});
  metrics.record("pawl_in_flight", workloads.filter(({ inFlight }) => inFlight !== null).length, {});
  metrics.record("pawl_oldest_claim_overdue_seconds", Math.max(0, ...overdue), {});
  metrics.record("claw_autoupdate_circuit_open", workloads.filter(isOpen).length, {});
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

function isOpen({ bookkeeping }: Workload): boolean {
  return bookkeeping.circuitOpen;
}
