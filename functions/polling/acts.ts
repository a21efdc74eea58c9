import { setTimeout as sleepMs } from "node:timers/promises";
import pLimit from "p-limit";
import { assertTime } from "./time-is-up.ts";

/** What is written and started, and read again for it: so many at once as a cluster's API server bears. */
const actsAtOnce = 32;

/** For what was begun when time was up; the rest of the reserve is for handing on. */
const graceMs = 20_000;

export interface Acts {
  /** Does it in its turn. Throws `TimeIsUp` where its turn did not come, and what `work` throws. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Resolves when all that was begun has ended, or has had long enough. */
  begunIsDone(): Promise<unknown>;
}

export function startActs(outOfTime: AbortSignal): Acts {
  const inTurn = pLimit(actsAtOnce);
  const begun = new Set<Promise<unknown>>();

  async function noted<Result>(work: () => Promise<Result>): Promise<Result> {
    assertTime(outOfTime);
    const result = work();
    begun.add(result);
    try {
      return await result;
    } finally {
      begun.delete(result);
    }
  }

  return {
    run: (work) => inTurn(() => noted(work)),
    begunIsDone: () => Promise.race([Promise.allSettled(begun), sleepMs(graceMs, undefined, { ref: false })]),
  };
}
