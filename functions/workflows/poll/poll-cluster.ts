import { randomUUID } from "node:crypto";
import type { FanOutState, PollSelection } from "../../contract/poll-fanout.ts";
import type { Ports } from "../../contract/ports.ts";
import { isOfSelected } from "../../domain/execution/poll-lease.ts";
import { secondsBetween } from "../../domain/text/rfc3339.ts";
import { noDeadline } from "./deadline.ts";
import { createStarts } from "./create-starts.ts";
import { firstState } from "./fan-out/poll-state.ts";
import { sizeOfList } from "./fan-out/work-list-lines.ts";
import { holdLease, holdLeaseOfPoll, noLease } from "./hold-lease.ts";
import { recordCheckMetrics, recordPollMetrics } from "./metrics.ts";
import { pollNodePools } from "./poll-node-pools.ts";
import { processWorkloads } from "./process-workloads.ts";
import { type ListedPoll, type ListPorts, type PollListing, readWorkloads } from "./read-workloads.ts";
import {
  createCounters,
  emptyPoolsReport,
  type PollCounters,
  type PollReport,
  skippedReport,
  type Warn,
} from "./report.ts";

/** What a poll needs of `Ports`. */
export type PollPorts = ListPorts & Pick<Ports, "fanOutExecutions">;

export interface PollOptions {
  /** The workloads that are polled; null for all. A poll of selected workloads records no gauges. */
  readonly selected?: PollSelection | null;
  /** Aborted at the deadline: nothing more is started then, and what was not decided waits for the next poll. */
  readonly signal?: AbortSignal;
  /** Called for every failed evaluation, and for workloads that the poll did not reach. */
  readonly warn?: Warn;
  /** How many workloads are held in memory at once. */
  readonly maxWorkloads?: number;
}

/** Keeps the function at about half of its 512 MB (`bench/poll-memory`). */
export const maxWorkloadsInMemory = 12_000;

/**
 * Runs a poll if no other poll of the cluster is in progress. Its batches, if it has some, share its lease, which the last round
 * releases. After a poll that was killed all workloads are polled in batches, which find the one that kills. A poll of selected
 * workloads needs no lease: the one in progress may have passed them. Throws what `runPoll` throws.
 */
export async function pollCluster(ports: PollPorts, options: PollOptions = {}): Promise<PollReport> {
  const { selected = null, signal = noDeadline(), warn = () => undefined } = options;
  const { maxWorkloads = maxWorkloadsInMemory } = options;
  const own = { id: randomUUID(), startedAt: ports.now(), isComplete: selected === null, selected };
  const lease = own.isComplete ? await holdLeaseOfPoll(ports, own, warn) : noLease;
  if (lease.kind === "taken") return skippedReport(lease.by);
  // A poll of selected workloads, which was killed while it had the Lease, is evaluated like any other.
  const takenOverFrom = lease.takenOverFrom !== null && !isOfSelected(lease.takenOverFrom) ? lease.takenOverFrom : null;
  if (takenOverFrom !== null) warn("the poll before did not end; polling in batches", { by: takenOverFrom });
  let isOver = true;
  try {
    const { report, isDeferred } = await runPoll(ports, {
      ...own,
      digestsSent: own.isComplete ? lease.digests : null,
      signal,
      warn,
      maxWorkloads: takenOverFrom === null ? maxWorkloads : 0,
    });
    isOver = !isDeferred;
    return report;
  } finally {
    await lease.release({ isOver });
  }
}

/**
 * Continues the list of a poll whose invocation came to its deadline before the list was complete. Returns the next state of its machine. Throws
 * what listing and the work list throw: then the same part can be listed again.
 */
export async function continueList(
  ports: ListPorts,
  state: FanOutState,
  { signal = noDeadline(), warn = () => undefined }: Pick<PollOptions, "signal" | "warn"> = {},
): Promise<FanOutState> {
  const { poll: id, isComplete } = state;
  const lease = isComplete ? await holdLease(ports, { id, startedAt: ports.now() }, warn) : noLease;
  if (lease.kind === "taken") {
    warn("another poll has taken over", { by: lease.by });
    // A round without batches ends the poll as incomplete. What was not listed counts as one.
    const totals = { ...state.totals, unreached: sizeOfList(state.lines) + 1 };
    return { ...state, outcome: "again", totals };
  }
  try {
    const poll = { id, isComplete, selected: null, signal, warn, maxWorkloads: 0 };
    const startedAt = new Date(state.startedAt);
    const digestsSent = isComplete ? lease.digests : null;
    const listing = await readWorkloads(ports, { ...poll, startedAt, digestsSent }, createCounters(warn), state);
    // The heartbeat, as that of a round.
    if (isComplete) ports.metrics.record("pawl_polls_total", 1, {});
    return listing.state ?? state;
  } catch (error) {
    ports.metrics.record("pawl_poll_errors_total", 1, {});
    throw error;
  } finally {
    await lease.release({ isOver: false });
  }
}

/**
 * Evaluates every workload and node pool once and starts an execution for each that has something newer. If there are more workloads
 * than fit into memory, or than can be listed in time, the machine `poll-fanout` polls them. A failed evaluation is reported and affects no
 * other workload; the next poll retries it. Throws what listing throws, and what the work list and the start of the machine throw; no
 * workload was evaluated then.
 */
async function runPoll(
  ports: PollPorts,
  poll: ListedPoll,
): Promise<{ readonly report: PollReport; readonly isDeferred: boolean }> {
  const { warn, signal, isComplete } = poll;
  const counters = createCounters(warn);
  const polledPools = ports.nodePoolsEnabled && isComplete ? pollNodePools(ports, warn, signal) : emptyPoolsReport;
  const polled = await pollWorkloads(ports, poll, counters).catch((error: unknown) => {
    ports.metrics.record("pawl_poll_errors_total", 1, {});
    throw error;
  });
  const { isDeferred, ...counts } = polled;
  return { report: { ...counters.counts(), ...counts, skipped: null, pools: await polledPools }, isDeferred };
}

type Polled = Pick<PollReport, "deferred" | "unreached" | "quarantined"> & { readonly isDeferred: boolean };

async function pollWorkloads(ports: PollPorts, poll: ListedPoll, counters: PollCounters): Promise<Polled> {
  const listing = await readWorkloads(ports, poll, counters, firstState(ports, poll));
  const { state, quarantined } = listing;
  if (state === null) {
    return { deferred: 0, quarantined, unreached: await pollHere(ports, poll, listing, counters), isDeferred: false };
  }
  await ports.fanOutExecutions.start(poll.id, state);
  return { deferred: sizeOfList(state.lines), unreached: 0, quarantined, isDeferred: true };
}

/** Processes the workloads in this process. Returns how many it did not reach. */
async function pollHere(
  ports: PollPorts,
  poll: ListedPoll,
  { workloads, quarantined, facts }: PollListing,
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
