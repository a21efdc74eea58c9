import type { Metrics } from "../ports/metrics.ts";
import type { Gauges } from "./gauges.ts";
import { type Tally, totalOf } from "./tally.ts";

interface Poll {
  readonly tally: Tally;
  /** What the first part of a poll saw of the whole cluster; null of any other, and of a poll of some workloads only. */
  readonly gauges: Gauges | null;
  /** How long the poll took, said by its last part; null of any other. */
  readonly durationSeconds: number | null;
  readonly unreached: number;
}

/** Records what a poll, or a part of it, that came to its end says of the cluster and of itself. Counters add up over parts. */
export function measurePoll(metrics: Metrics, { tally, gauges, durationSeconds, unreached }: Poll): void {
  for (const [namespace, checked] of tally.namespaces) {
    metrics.record("claw_autoupdate_checks_total", checked, { namespace });
  }
  for (const [error, count] of tally.errors) metrics.record("pawl_errors_total", count, { error });
  metrics.record("pawl_poll_errors_total", totalOf(tally.errors) + unreached, {});
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
