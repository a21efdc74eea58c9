import type { Workload } from "../../domain/workload/workload.ts";
import { type PollContinuation, shardKeyLimit } from "../../ports/poll-continuation.ts";
import { isInThisPart, isPending } from "./continuation.ts";
import { assignShard, type ShardAssignment, type ShardedWorkload } from "./shard-key.ts";

/** The workloads that one part of a poll processes. */
export interface Batch {
  /** By shard key. The consumer removes them, so that each can be garbage-collected once it was processed. */
  readonly workloads: ShardedWorkload[];
  /** The first shard key that is not in the batch; `shardKeyLimit` if all are. */
  readonly nextShardKey: number;
  /** Registries of the workloads from `nextShardKey` on. */
  readonly deferredRegistries: ReadonlySet<string>;
  /** How many pending workloads are not in the batch. */
  readonly remaining: number;
}

/** The list was not complete before the deadline. */
export class ListTooSlow extends Error {
  override readonly name = "ListTooSlow";
}

/**
 * Reads all workloads and keeps those with the lowest shard keys, at most `maxWorkloads`. When that is exceeded, the upper eighth
 * is dropped. Throws `ListTooSlow`, and what listing throws.
 */
export async function selectBatch(
  listed: AsyncIterable<Workload>,
  continuation: PollContinuation,
  maxWorkloads: number,
  signal: AbortSignal,
): Promise<Batch> {
  const deferredRegistries = new Set<string>();
  let workloads: ShardedWorkload[] = [];
  let nextShardKey = shardKeyLimit;
  let remaining = 0;
  const defer = ({ host }: ShardAssignment) => {
    deferredRegistries.add(host);
    remaining += 1;
  };
  for await (const workload of listed) {
    if (signal.aborted)
      throw new ListTooSlow("the workloads could not be listed before the deadline; nothing was done");
    const sharded = { ...assignShard(workload, continuation.seed), workload };
    if (!isPending(continuation, sharded)) continue;
    if (!isInThisPart(continuation, sharded)) remaining += 1;
    else if (sharded.shardKey >= nextShardKey) defer(sharded);
    else workloads.push(sharded);
    if (workloads.length <= maxWorkloads) continue;
    workloads.sort(byShardKey);
    const limit = workloads[Math.max(1, Math.floor((maxWorkloads * 7) / 8))]?.shardKey ?? nextShardKey;
    for (const dropped of workloads.filter(({ shardKey }) => shardKey >= limit)) defer(dropped);
    workloads = workloads.filter(({ shardKey }) => shardKey < limit);
    nextShardKey = limit;
  }
  return { workloads: workloads.sort(byShardKey), nextShardKey, deferredRegistries, remaining };
}

function byShardKey(one: ShardAssignment, other: ShardAssignment): number {
  return one.shardKey - other.shardKey;
}
