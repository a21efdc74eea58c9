import { randomUUID } from "node:crypto";
import type { Ports } from "../../contract/ports.ts";
import { maxParts, type PollContinuation, shardKeyLimit } from "../../ports/poll-continuation.ts";
import type { Warn } from "./report.ts";
import type { ShardAssignment, Unfinished } from "./shard-key.ts";

/** Bounds the payload of an invocation. */
const maxLaggingRegistries = 500;

/** How one part of a poll ended. */
export interface BatchEnd {
  /** The first shard key that did not fit into memory; `shardKeyLimit` if every workload did. */
  readonly nextShardKey: number;
  /** Registries of the workloads from `nextShardKey` on. */
  readonly deferredRegistries: ReadonlySet<string>;
  readonly unfinished: Unfinished;
  /** Registries that returned nothing but errors. */
  readonly unresponsiveRegistries: ReadonlySet<string>;
}

/** Returns the continuation from which the first part of a poll starts. */
export function newPoll(now: Date): PollContinuation {
  return { seed: randomUUID(), cursor: 0, laggingRegistries: {}, startedAt: now.toISOString(), part: 1 };
}

/** Reports whether this poll has not processed a workload yet. */
export function isPending(
  { cursor, laggingRegistries }: PollContinuation,
  { host, shardKey }: ShardAssignment,
): boolean {
  return shardKey >= (laggingRegistries[host] ?? cursor);
}

/** Reports whether this part processes a workload. Lagging registries wait until all others have been processed. */
export function isInThisPart(continuation: PollContinuation, shard: ShardAssignment): boolean {
  const isLagging = continuation.laggingRegistries[shard.host] !== undefined;
  return isPending(continuation, shard) && (isCatchUpPass(continuation) || !isLagging);
}

/**
 * Returns what the next part processes; null if nothing remains or another part would make no progress. The cursor advances
 * first. After that, lagging registries are retried as long as each part gets further with them.
 */
export function nextContinuation(continuation: PollContinuation, end: BatchEnd): PollContinuation | null {
  const isCatchUp = isCatchUpPass(continuation);
  const lagging = isCatchUp ? stillLagging(continuation, end) : nowLagging(continuation, end);
  const laggingRegistries = Object.fromEntries(lagging.slice(0, maxLaggingRegistries));
  const isRestLagging = [...end.deferredRegistries].every((host) => laggingRegistries[host] !== undefined);
  const cursor = isCatchUp || isRestLagging ? shardKeyLimit : end.nextShardKey;
  const isComplete = cursor === shardKeyLimit && Object.keys(laggingRegistries).length === 0;
  const isStuck = cursor <= continuation.cursor && !isCatchUp;
  if (isComplete || continuation.part >= maxParts || isStuck) return null;
  return { ...continuation, cursor, laggingRegistries, part: continuation.part + 1 };
}

function isCatchUpPass({ cursor }: PollContinuation): boolean {
  return cursor === shardKeyLimit;
}

function nowLagging({ laggingRegistries }: PollContinuation, { unfinished }: BatchEnd): (readonly [string, number])[] {
  const added = [...unfinished].map(([host, { shardKey }]) => [host, shardKey] as const);
  return [...Object.entries(laggingRegistries), ...added];
}

function stillLagging({ laggingRegistries }: PollContinuation, end: BatchEnd): (readonly [string, number])[] {
  const { unfinished, deferredRegistries, nextShardKey, unresponsiveRegistries } = end;
  return Object.entries(laggingRegistries).flatMap(([host, previous]) => {
    const shardKey = unfinished.get(host)?.shardKey ?? (deferredRegistries.has(host) ? nextShardKey : null);
    const hasProgressed = shardKey !== null && shardKey > previous && !unresponsiveRegistries.has(host);
    return hasProgressed ? [[host, shardKey] as const] : [];
  });
}

/** Invokes the next part and reports whether that worked. If not, what remains waits for the next poll. */
export async function invokeContinuation(
  { pollContinuations, metrics }: Pick<Ports, "pollContinuations" | "metrics">,
  continuation: PollContinuation,
  warn: Warn,
): Promise<boolean> {
  try {
    await pollContinuations.invokeNext(continuation);
    return true;
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    warn("continuation invoke failed", { failure: name, reason: message });
    metrics.record("pawl_errors_total", 1, { error: name });
    metrics.record("pawl_poll_errors_total", 1, {});
    return false;
  }
}
