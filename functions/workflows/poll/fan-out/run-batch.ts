import type { PollBatchInput, PollBatchOutput } from "../../../contract/poll-fanout.ts";
import type { Ports } from "../../../contract/ports.ts";
import type { Invocation } from "../../../contract/task.ts";
import { sizeOf } from "../../../domain/execution/poll-batches.ts";
import { type BatchReport, emptyReport, limitNames } from "../../../domain/execution/poll-totals.ts";
import { noDeadline } from "../deadline.ts";
import { holdLease, noLease } from "../hold-lease.ts";
import { recordCheckMetrics } from "../metrics.ts";
import { placeWorkload, type PlacedWorkload } from "../place-workload.ts";
import type { ProcessPorts } from "../process-workload.ts";
import { processWorkloads } from "../process-workloads.ts";
import { createCounters } from "../report.ts";
import { createGrantedStarts } from "./grant-starts.ts";
import { readBatch } from "./work-list-lines.ts";

/** Error names per kind of error: the reports of 128 batches have at most 256 KiB. */
const maxNames = 5;

/** A function ends by itself that much before its Task. */
const reserveSeconds = 10;

export type BatchPorts = ProcessPorts & Pick<Ports, "workList" | "pollLease" | "metrics">;

/**
 * Evaluates the workloads of one batch as a poll does, until its deadline, and renews the lease of the poll meanwhile. If another poll
 * has taken that over, it reaches none. Throws what `WorkList` throws.
 */
export async function runBatch(
  ports: BatchPorts,
  { poll, listedAt, isComplete, starts, batch }: PollBatchInput,
  { signal = noDeadline(), warn = () => undefined }: Partial<Invocation> = {},
): Promise<PollBatchOutput> {
  const ends = AbortSignal.any([signal, AbortSignal.timeout((batch.seconds - reserveSeconds) * 1000)]);
  const held = { id: poll, startedAt: new Date(listedAt) };
  const lease = isComplete ? await holdLease(ports, held, warn) : noLease;
  if (lease.kind === "taken") {
    warn("another poll has taken over", { by: lease.by, workloads: sizeOf(batch) });
    return { batch, kind: "polled", report: { ...emptyReport, unreached: sizeOf(batch) } };
  }
  try {
    const workloads: PlacedWorkload[] = [];
    for await (const workload of readBatch(ports.workList, poll, batch)) workloads.push(placeWorkload(workload, poll));
    const counters = createCounters(warn);
    const { unreached, registries } = await processWorkloads(ports, counters, workloads, ends, () =>
      createGrantedStarts(starts, workloads, ports.now),
    );
    if (unreached > 0) warn("deadline reached", { workloads: unreached, registries });
    recordCheckMetrics(ports.metrics, counters);
    return { batch, kind: "polled", report: reportOf(counters, unreached) };
  } finally {
    await lease.release({ isOver: false });
  }
}

/** Returns the counts of a batch, without the workloads: the reports of all batches are in one state. */
export function reportOf(counters: ReturnType<typeof createCounters>, unreached: number): BatchReport {
  const { evaluated, started, adopted, inFlight, held, recorded, problems } = counters.counts();
  return {
    evaluated,
    started,
    adopted,
    inFlight,
    held,
    recorded,
    problems,
    unreached,
    errors: limitNames(counters.errors, maxNames),
    failures: limitNames(counters.failures, maxNames),
    refusals: limitNames(counters.refusals, maxNames),
  };
}
