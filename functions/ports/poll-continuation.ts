/**
 * How far a poll has got, and so what remains. Every workload has a shard key from 0 up to `shardKeyLimit`, which is the same in
 * every part of one poll. Plain JSON.
 */
export interface PollContinuation {
  /** Salts the shard keys. Each poll has its own, so that no two polls start with the same workloads. */
  readonly seed: string;
  /** Every workload with a lower shard key was processed, except those of lagging registries. */
  readonly cursor: number;
  /** Registries that did not answer before the deadline, each with its lowest shard key that is still pending. */
  readonly laggingRegistries: Readonly<Record<string, number>>;
  /** Start of the first part, in RFC3339. */
  readonly startedAt: string;
  /** 1 for the first part. */
  readonly part: number;
}

/** Exclusive upper bound of shard keys: 52 bits, which a number holds exactly. */
export const shardKeyLimit = 2 ** 52;

/** A poll has no more parts than this. Lambda stops a function that invokes itself about 16 times in a row. */
export const maxParts = 16;

/** Continues a poll that is too large or too slow for one invocation. */
export interface PollContinuations {
  /** Invokes the next part asynchronously. May throw `Throttled` or `Unreachable`. */
  invokeNext(continuation: PollContinuation): Promise<void>;
}
