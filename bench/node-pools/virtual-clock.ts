import { setImmediate as nextIteration } from "node:timers/promises";
import type { Clock } from "../../infra/local/runtime/clock.ts";

/** Simulated time that passes only in `sleep`, so that no measurement depends on the computer. */
export interface VirtualClock extends Clock {
  /** Resolves when `sleep` calls have advanced the clock by `seconds`. */
  readonly timer: (seconds: number) => Promise<void>;
  /** Calls `run` after `seconds`; the time stands still until it ends. */
  readonly interrupt: (seconds: number, run: () => Promise<void>) => void;
}

interface Timer {
  readonly at: number;
  readonly run: () => void | Promise<void>;
}

/** Creates a clock for one concurrent `sleep`. Timers run in order, and the work that each triggers ends before the next. */
export function createVirtualClock(since: Date): VirtualClock {
  const timers: Timer[] = [];
  let now = since.getTime();

  function addTimer(seconds: number, run: Timer["run"]): void {
    const at = now + seconds * 1000;
    timers.splice(timers.findLastIndex((timer) => timer.at <= at) + 1, 0, { at, run });
  }

  async function runDueTimers(): Promise<void> {
    for (let next = timers[0]; next !== undefined && next.at <= now; next = timers[0]) {
      timers.shift();
      await next.run();
    }
    // The embedded cluster's controllers run at the end of an event loop iteration.
    await nextIteration();
    await nextIteration();
  }

  return {
    now: () => new Date(now),
    waitScale: 0,
    timer: (seconds) => new Promise((resolve) => addTimer(seconds, resolve)),
    interrupt: addTimer,
    async sleep(seconds) {
      const until = now + seconds * 1000;
      for (let next = timers[0]; next !== undefined && next.at <= until; next = timers[0]) {
        now = next.at;
        await runDueTimers();
      }
      now = until;
    },
  };
}
