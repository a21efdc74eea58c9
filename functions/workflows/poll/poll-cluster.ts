import type { Ports } from "../../contract/ports.ts";
import { secondsBetween } from "../../domain/text/rfc3339.ts";
import type { Workload } from "../../domain/workload/workload.ts";
import type { PollContinuation } from "../../ports/poll-continuation.ts";
import { invokeContinuation, newPoll, nextContinuation } from "./continuation.ts";
import { noDeadline } from "./deadline.ts";
import { recordPollMetrics } from "./metrics.ts";
import type { PollPoolPorts } from "./poll-node-pool.ts";
import { pollNodePools } from "./poll-node-pools.ts";
import type { ProcessPorts } from "./process-workload.ts";
import { createCounters, emptyPoolsReport, mergeReports, type PollReport, type Warn } from "./report.ts";
import { type BatchOutcome, runBatch } from "./run-batch.ts";
import { countUnfinished } from "./shard-key.ts";

/** What a poll needs of `Ports`. */
export type PollPorts = ProcessPorts &
  PollPoolPorts &
  Pick<Ports, "metrics" | "nodePoolsEnabled" | "pollContinuations">;

export interface PollOptions {
  /** Selects workloads; defaults to all. A poll of selected workloads has one part and records no gauges. */
  readonly isIncluded?: (workload: Workload) => boolean;
  /** What the previous part left; if absent, a new poll starts. */
  readonly continuation?: PollContinuation;
  /** Aborted at the deadline: nothing more is started then, and what was not decided is deferred. */
  readonly signal?: AbortSignal;
  /** Called for every failed evaluation, and for workloads that the poll did not reach. */
  readonly warn?: Warn;
  /** How many workloads are held in memory at once. */
  readonly maxWorkloads?: number;
}

/** Keeps the function at about half of its 512 MB (`bench/poll-memory`). */
export const maxWorkloadsInMemory = 12_000;

/**
 * Evaluates every workload and node pool once and starts an execution for each that has something newer. What does not fit into
 * one invocation is deferred to the next part. A failed evaluation is reported and affects no other workload; the next poll
 * retries it. Throws what listing throws, and `ListTooSlow`; nothing was done in both cases.
 */
export async function pollCluster(ports: PollPorts, options: PollOptions = {}): Promise<PollReport> {
  const { continuation = newPoll(ports.now()), warn = () => undefined, isIncluded = () => true } = options;
  const { signal = noDeadline(), maxWorkloads = maxWorkloadsInMemory } = options;
  const isComplete = options.isIncluded === undefined;
  const isFirstPart = isComplete && continuation.part === 1;
  const counters = createCounters(warn);
  const polledPools = ports.nodePoolsEnabled && isFirstPart ? pollNodePools(ports, warn, signal) : emptyPoolsReport;
  const batch = { continuation, isIncluded, signal, maxWorkloads };
  const outcome = await runBatch(ports, counters, batch).catch((error: unknown) => {
    ports.metrics.record("pawl_poll_errors_total", 1, {});
    throw error;
  });
  const next = isComplete ? nextContinuation(continuation, outcome) : null;
  const pools = await polledPools;
  const isLastPart = next === null || !(await invokeContinuation(ports, next, warn));
  const remaining = countRemaining(outcome, isLastPart ? null : next, warn);
  recordPollMetrics(ports.metrics, {
    counters,
    gauges: isFirstPart ? outcome.gauges : null,
    durationSeconds: isComplete && isLastPart ? secondsBetween(new Date(continuation.startedAt), ports.now()) : null,
    unreached: remaining.unreached,
  });
  return { ...counters.counts(), ...remaining, part: continuation.part, pools };
}

/** Counts what the next part processes, and what waits for the next poll. */
function countRemaining({ remaining, unfinished }: BatchOutcome, next: PollContinuation | null, warn: Warn) {
  const all = remaining + countUnfinished(unfinished);
  const unreached =
    next === null ? all : countUnfinished(unfinished, (host) => next.laggingRegistries[host] === undefined);
  if (unreached > 0) warn("deadline reached", { workloads: unreached, registries: [...unfinished.keys()] });
  return { deferred: all - unreached, unreached };
}

/** Runs all parts of a poll in this process, one after the other. */
export async function pollToCompletion(
  ports: Omit<PollPorts, "pollContinuations">,
  options: PollOptions = {},
): Promise<PollReport> {
  const continuations: PollContinuation[] = [];
  const pollContinuations = { invokeNext: async (next: PollContinuation) => void continuations.push(next) };
  const reports = [await pollCluster({ ...ports, pollContinuations }, options)];
  for (const continuation of continuations)
    reports.push(await pollCluster({ ...ports, pollContinuations }, { ...options, continuation }));
  return mergeReports(reports);
}
