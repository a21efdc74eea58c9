import { type Clock, createClock } from "../../infra/local/runtime/clock.ts";

/** A clock that runs fast, and whose long sleeps end only when they are skipped. */
export interface SkippingClock extends Clock {
  /** Moves the time to the end of the earliest long sleep, and ends it; false if there is none. */
  skip(): boolean;
}

/** In seconds: what sleeps for as long is skipped. */
const longSleep = 3600;

/** Creates a clock with which days of sleep take no time, and everything else as long as with `createClock`. */
export function createSkippingClock(speed: number): SkippingClock {
  const clock = createClock({ speed, since: new Date() });
  const sleeps: { readonly until: number; readonly wake: () => void }[] = [];
  let skipped = 0;
  const now = () => new Date(clock.now().getTime() + skipped);
  return {
    now,
    waitScale: clock.waitScale,
    sleep(seconds, signal) {
      if (seconds < longSleep) return clock.sleep(seconds, signal);
      return new Promise((resolve) => {
        sleeps.push({ until: now().getTime() + seconds * 1000, wake: resolve });
        signal?.addEventListener("abort", () => resolve());
      });
    },
    skip() {
      sleeps.sort((one, other) => one.until - other.until);
      const next = sleeps.shift();
      if (next === undefined) return false;
      skipped += Math.max(0, next.until - now().getTime());
      next.wake();
      return true;
    },
  };
}
