import { randomUUID } from "node:crypto";
import type { Ports } from "../../contract/ports.ts";
import { noLimitSettings } from "../../domain/budget/limits.ts";
import { concurrencyOf } from "../../domain/gates/limits/limit-settings.ts";
import { addStartFacts, emptyStartFacts, type StartFacts } from "../../domain/gates/limits/start-facts.ts";
import { secondsBetween } from "../../domain/text/rfc3339.ts";
import type { Workload } from "../../domain/workload/workload.ts";
import { createHeldReport } from "./report-held.ts";
import { noDeadline } from "./deadline.ts";
import { grantStarts } from "./fan-out/grant-starts.ts";
import { startFanOut } from "./fan-out/start-fan-out.ts";
import { createWorkListWriter } from "./fan-out/work-list-lines.ts";
import { createStarts } from "./create-starts.ts";
import { holdLeaseOfPoll, isOfSelected, noLease } from "./hold-lease.ts";
import { emptyGauges, recordCheckMetrics, recordGauges, recordPollMetrics, withGauges } from "./metrics.ts";
import type { PollPoolPorts } from "./poll-node-pool.ts";
import { pollNodePools } from "./poll-node-pools.ts";
import type { ProcessPorts } from "./process-workload.ts";
import { processWorkloads } from "./process-workloads.ts";
import {
  createCounters,
  emptyPoolsReport,
  type PollCounters,
  type PollReport,
  skippedReport,
  type Warn,
} from "./report.ts";
import { type Selection, selectWorkloads } from "./select-workloads.ts";

/** What a poll needs of `Ports`. */
export type PollPorts = ProcessPorts &
  PollPoolPorts &
  Partial<Pick<Ports, "digests">> &
  Pick<Ports, "metrics" | "nodePoolsEnabled" | "poolExecutions" | "fanOutExecutions" | "workList" | "pollLease">;

export interface PollOptions {
  /** Selects workloads; defaults to all. A poll of selected workloads records no gauges. */
  readonly isIncluded?: (workload: Workload) => boolean;
  /** Aborted at the deadline: nothing more is started then, and what was not decided waits for the next poll. */
  readonly signal?: AbortSignal;
  /** Called for every failed evaluation, and for workloads that the poll did not reach. */
  readonly warn?: Warn;
  /** How many workloads are held in memory at once. */
  readonly maxWorkloads?: number;
}

interface Poll extends Required<PollOptions> {
  readonly id: string;
  readonly startedAt: Date;
  /** Of the daily digests. */
  readonly held: ReturnType<typeof createHeldReport>;
  /** Whether every workload belongs to the poll. */
  readonly isComplete: boolean;
}

/** Keeps the function at about half of its 512 MB (`bench/poll-memory`). */
export const maxWorkloadsInMemory = 12_000;

/**
 * Runs a poll if no other poll of the cluster is in progress. Its batches, if it has some, share its lease, which the last round
 * releases. After a poll that was killed all workloads are polled in batches, which find the one that kills. A poll of selected
 * workloads needs no lease: the one in progress may have passed them. Throws what `runPoll` throws.
 */
export async function pollCluster(ports: PollPorts, options: PollOptions = {}): Promise<PollReport> {
  const { isIncluded = () => true, signal = noDeadline(), warn = () => undefined } = options;
  const { maxWorkloads = maxWorkloadsInMemory } = options;
  const isComplete = options.isIncluded === undefined;
  const own = { id: randomUUID(), startedAt: ports.now(), isComplete };
  const lease = isComplete ? await holdLeaseOfPoll(ports, own, warn) : noLease;
  if (lease.kind === "taken") return skippedReport(lease.by);
  // A poll of selected workloads, which was killed while it had the Lease, is evaluated like any other.
  const takenOverFrom = lease.takenOverFrom !== null && !isOfSelected(lease.takenOverFrom) ? lease.takenOverFrom : null;
  if (takenOverFrom !== null) warn("the poll before did not end; polling in batches", { by: takenOverFrom });
  const held = createHeldReport(ports, isComplete ? lease.digests : null, warn);
  const poll: Poll = {
    ...own,
    held,
    isIncluded,
    signal,
    warn,
    maxWorkloads: takenOverFrom === null ? maxWorkloads : 0,
  };
  let isOver = true;
  try {
    const report = await runPoll(ports, poll);
    isOver = report.deferred === 0;
    return report;
  } finally {
    await lease.release({ isOver });
  }
}

/**
 * Evaluates every workload and node pool once and starts an execution for each that has something newer. If there are more workloads
 * than fit into memory, the machine `poll-fanout` polls them. A failed evaluation is reported and affects no other workload; the next
 * poll retries it. Throws what listing throws, `ListTooSlow`, and what the work list and the start of the machine throw; no workload
 * was evaluated then.
 */
async function runPoll(ports: PollPorts, poll: Poll): Promise<PollReport> {
  const { warn, signal, isComplete } = poll;
  const counters = createCounters(warn);
  const polledPools = ports.nodePoolsEnabled && isComplete ? pollNodePools(ports, warn, signal) : emptyPoolsReport;
  const polled = await pollWorkloads(ports, poll, counters).catch((error: unknown) => {
    ports.metrics.record("pawl_poll_errors_total", 1, {});
    throw error;
  });
  return { ...counters.counts(), ...polled, skipped: null, pools: await polledPools };
}

type Polled = Pick<PollReport, "deferred" | "unreached" | "quarantined">;

async function pollWorkloads(ports: PollPorts, poll: Poll, counters: PollCounters): Promise<Polled> {
  const { id, isIncluded, isComplete, maxWorkloads, signal } = poll;
  const gauges = emptyGauges();
  const facts = emptyStartFacts();
  const listing = poll.held.watch(ports.cluster.list(counters.onSkipped));
  const all = withStartFacts(withGauges(listing, gauges, ports.now), facts, ports.now());
  const listed = filter(isIncluded, all);
  const openWriter = () => createWorkListWriter(ports.workList, id);
  const selected = await selectWorkloads(listed, { poll: id, maxWorkloads, signal, now: ports.now, openWriter });
  if (isComplete) recordGauges(ports, gauges);
  await poll.held.send();
  const { lines, quarantined } = selected;
  if (lines !== null) {
    const starts = await grantStarts(ports, {
      ...poll,
      facts,
      limits: concurrencyOf(ports.limits ?? noLimitSettings, facts.optedIn),
    });
    const deferred = await startFanOut(ports, { ...poll, lines, quarantined, starts }, counters);
    return { deferred, unreached: 0, quarantined };
  }
  return { deferred: 0, quarantined, unreached: await pollHere(ports, poll, selected, facts, counters) };
}

async function* withStartFacts(
  workloads: AsyncIterable<Workload>,
  facts: StartFacts,
  now: Date,
): AsyncGenerator<Workload> {
  for await (const workload of workloads) {
    addStartFacts(facts, workload, now);
    yield workload;
  }
}

async function* filter(isIncluded: Poll["isIncluded"], workloads: AsyncIterable<Workload>): AsyncGenerator<Workload> {
  for await (const workload of workloads) if (isIncluded(workload)) yield workload;
}

/** Processes the workloads in this process. Returns how many it did not reach. */
async function pollHere(
  ports: PollPorts,
  poll: Poll,
  { workloads, quarantined }: Selection,
  facts: StartFacts,
  counters: PollCounters,
): Promise<number> {
  const { startedAt, isComplete, signal, warn } = poll;
  const { unreached, registries } = await processWorkloads(ports, counters, workloads, signal, (executions) =>
    createStarts(ports, poll, { facts, workloads, executions }),
  );
  if (unreached > 0) warn("deadline reached", { workloads: unreached, registries });
  recordCheckMetrics(ports.metrics, counters);
  recordPollMetrics(ports.metrics, {
    evaluated: counters.counts().evaluated,
    errors: Object.fromEntries(counters.errors),
    failures: Object.fromEntries(counters.failures),
    refusals: Object.fromEntries(counters.refusals),
    durationSeconds: isComplete ? secondsBetween(startedAt, ports.now()) : null,
    unreached,
    quarantined,
  });
  return unreached;
}
