import { setTimeout as sleepMs } from "node:timers/promises";

/** Time as the local runtime sees it: the real one, or one that runs faster so that a health timeout passes in seconds. */
export interface Clock {
  readonly now: () => Date;
  /** Real seconds per second of this clock. */
  readonly waitScale: number;
  /** Sleeps for `seconds` of this clock; ends early, without an error, when `signal` is aborted. */
  readonly sleep: (seconds: number, signal?: AbortSignal) => Promise<void>;
}

/**
 * A clock `speed` times as fast as the real one since `since`. Two processes that are given the same `since` agree on
 * the time, so one may go on where the other was killed.
 */
export function clockOf({ speed, since }: { readonly speed: number; readonly since: Date }): Clock {
  return {
    now: () => new Date(since.getTime() + (Date.now() - since.getTime()) * speed),
    waitScale: 1 / speed,
    async sleep(seconds, signal) {
      await sleepMs((seconds * 1000) / speed, undefined, signal === undefined ? {} : { signal }).catch(ignoreAbort);
    },
  };
}

function ignoreAbort(error: Error): void {
  if (error.name !== "AbortError") throw error;
}
