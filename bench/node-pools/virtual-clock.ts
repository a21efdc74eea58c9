import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "../../infra/local/runtime/clock.ts";

/** Time that passes only while somebody sleeps, and then at once: what is counted depends on no computer's speed. */
export interface VirtualClock extends Clock {
  /** Resolves when somebody else's sleep has come so many seconds further. */
  readonly timer: (seconds: number) => Promise<void>;
  /** Does something so many seconds further, and time stands still until it is done. */
  readonly interrupt: (seconds: number, act: () => Promise<void>) => void;
}

interface Timer {
  readonly at: number;
  readonly ring: () => void | Promise<void>;
}

/** A clock for one sleeper at a time. Timers ring in the order of their times, and what each sets off is done before the next. */
export function virtualClock(since: Date): VirtualClock {
  const timers: Timer[] = [];
  let now = since.getTime();

  function set(seconds: number, ring: Timer["ring"]): void {
    const at = now + seconds * 1000;
    timers.splice(timers.findLastIndex((timer) => timer.at <= at) + 1, 0, { at, ring });
  }

  async function ringAll(): Promise<void> {
    for (let next = timers[0]; next !== undefined && next.at <= now; next = timers[0]) {
      timers.shift();
      await next.ring();
    }
    // The embedded cluster's controllers work at the end of a turn.
    await nextTurn();
    await nextTurn();
  }

  return {
    now: () => new Date(now),
    waitScale: 0,
    timer: (seconds) => new Promise((resolve) => set(seconds, resolve)),
    interrupt: set,
    async sleep(seconds) {
      const until = now + seconds * 1000;
      for (let next = timers[0]; next !== undefined && next.at <= until; next = timers[0]) {
        now = next.at;
        await ringAll();
      }
      now = until;
    },
  };
}
