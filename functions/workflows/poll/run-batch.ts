import { setImmediate } from "node:timers/promises";
import type { Workload } from "../../domain/workload/workload.ts";
import type { PollContinuation } from "../../ports/poll-continuation.ts";
import type { BatchEnd } from "./continuation.ts";
import { deadlinePassed } from "./deadline.ts";
import { limitPerRegistry } from "./limit-registry-requests.ts";
import { type ClusterGauges, emptyGauges, withGauges } from "./metrics.ts";
import {
  createWorkloadProcessor,
  createWriteQueue,
  type ProcessPorts,
  type WorkloadResult,
} from "./process-workload.ts";
import type { PollCounters } from "./report.ts";
import { selectBatch } from "./select-batch.ts";
import { groupByRegistry, type ShardedWorkload, type Unfinished } from "./shard-key.ts";

export interface BatchOptions {
  readonly continuation: PollContinuation;
  readonly isIncluded: (workload: Workload) => boolean;
  readonly signal: AbortSignal;
  readonly maxWorkloads: number;
}

export interface BatchOutcome extends BatchEnd {
  /** Of the whole cluster, also if the batch is only a part of it. */
  readonly gauges: ClusterGauges;
  /** How many workloads are still pending, besides those that were not decided before the deadline. */
  readonly remaining: number;
}

/** Selects and processes one part of a poll until it is done or the deadline passes. Throws what `selectBatch` throws. */
export async function runBatch(
  ports: ProcessPorts,
  counters: PollCounters,
  { continuation, isIncluded, signal, maxWorkloads }: BatchOptions,
): Promise<BatchOutcome> {
  const gauges = emptyGauges();
  const listed = filter(isIncluded, withGauges(ports.cluster.list(counters.onSkipped), gauges, ports.now));
  const { workloads, ...batch } = await selectBatch(listed, continuation, maxWorkloads, signal);
  const answered = new Set<string>();
  const failing = new Set<string>();
  const writes = createWriteQueue(signal);
  const registry = limitPerRegistry(ports.registry, answered, signal);
  const unfinished = await runUntilDeadline(workloads, {
    process: createWorkloadProcessor({ ...ports, registry }, writes, signal),
    onResult(result, host) {
      counters.add(result);
      if ("error" in result) failing.add(host);
    },
    signal,
    drain: () => writes.drain(),
  });
  const unresponsiveRegistries = new Set([...failing].filter((host) => !answered.has(host)));
  return { ...batch, gauges, unfinished, unresponsiveRegistries };
}

async function* filter(
  isIncluded: BatchOptions["isIncluded"],
  workloads: AsyncIterable<Workload>,
): AsyncGenerator<Workload> {
  for await (const workload of workloads) if (isIncluded(workload)) yield workload;
}

interface ProcessOptions {
  /** Never throws; null if the deadline passed before anything was done about the workload. */
  readonly process: (workload: Workload) => Promise<WorkloadResult | null>;
  readonly onResult: (result: WorkloadResult, host: string) => void;
  readonly signal: AbortSignal;
  /** Resolves if the work that was started before the deadline has ended or timed out. */
  readonly drain: () => Promise<unknown>;
}

/** How many workloads of one registry are processed at a time: each takes more memory than one that waits. */
const maxConcurrentPerRegistry = 2000;

/**
 * Processes the workloads of all registries concurrently, and returns those that were not decided before the deadline. Later results
 * are ignored. Processed workloads are released.
 */
async function runUntilDeadline(
  workloads: ShardedWorkload[],
  { process, onResult, signal, drain }: ProcessOptions,
): Promise<Unfinished> {
  const pending = new Set(workloads);

  async function processOne(sharded: ShardedWorkload): Promise<void> {
    const result = await process(sharded.workload);
    if (result !== null && pending.delete(sharded)) onResult(result, sharded.host);
  }

  async function processQueue(queue: ShardedWorkload[]): Promise<void> {
    for (let next = queue.pop(); next !== undefined && !signal.aborted; next = queue.pop()) await processOne(next);
  }

  const { urgent = [], others = [] } = Object.groupBy(workloads.splice(0).toReversed(), (sharded) =>
    isUrgent(sharded) ? "urgent" : "others",
  );
  const queues = Map.groupBy(others, ({ host }) => host);
  const workers = [...queues.values()].flatMap((queue) =>
    Array.from({ length: Math.min(queue.length, maxConcurrentPerRegistry) }, () => processQueue(queue)),
  );
  await Promise.race([Promise.all([...urgent.map(processOne), ...workers]), deadlinePassed(signal)]);
  if (signal.aborted) await drain();
  // Lets the results that are ready by now arrive.
  await setImmediate();
  const unfinished = groupByRegistry(pending);
  pending.clear();
  return unfinished;
}

/** Reports whether a workload must not wait for others of its registry, which may stall. */
function isUrgent({ workload: { inFlight, request } }: ShardedWorkload): boolean {
  return inFlight !== null || request !== null;
}
