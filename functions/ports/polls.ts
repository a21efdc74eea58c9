/**
 * How far a poll has come, and so what is left of it. Every workload has a place, the same in every part of one poll.
 * Plain JSON.
 */
export interface PollRest {
  /** Of which the places are made; another one for each poll, so that none begins where the last one began. */
  readonly seed: string;
  /** All that lies below has had its turn, but for what is behind. */
  readonly from: number;
  /** Registries that were slower than the time there was, each with the first of its places that is still to come. */
  readonly behind: Readonly<Record<string, number>>;
  /** When the first part began, in RFC3339. */
  readonly startedAt: string;
  /** 1 for the first part. */
  readonly part: number;
}

/** Where a poll goes on that is too large, or too slow, for one invocation. */
export interface Polls {
  /** Has the rest polled, later and by itself. May throw `Throttled` or `Unreachable`. */
  goOn(rest: PollRest): Promise<void>;
}
