import { setTimeout as sleepMs } from "node:timers/promises";

/** The local runtime's clock: real time, or faster so that a health timeout passes in seconds. */
export interface Clock {
  readonly now: () => Date;
  /** Real seconds per second of this clock. */
  readonly waitScale: number;
  /** Sleeps for `seconds` of this clock; resolves early when `signal` is aborted. */
  readonly sleep: (seconds: number, signal?: AbortSignal) => Promise<void>;
}

/**
 * Creates a clock that runs `speed` times as fast as real time since `since`. Two processes with the same `since` agree
 * on the time, so one can resume after the other was killed.
 */
export function createClock({ speed, since }: { readonly speed: number; readonly since: Date }): Clock {
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
