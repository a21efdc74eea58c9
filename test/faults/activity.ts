import { setImmediate as nextTurn } from "node:timers/promises";

/** Knows when nothing happens any more until time passes. */
export interface Activity {
  /** Called for whatever happens. */
  note(): void;
  /** Resolves when `isBusy` returns false and nothing has happened for some turns of the event loop. */
  settled(): Promise<void>;
}

/** Loopback sockets, the interpreter and the controllers of the cluster need a few turns each. */
const quietTurns = 25;
/** Ends what would hang: a function that neither sends a request nor ends for this long. */
const maxBusyMs = 60_000;

export function createActivity(isBusy: () => boolean): Activity {
  let count = 0;
  return {
    note() {
      count += 1;
    },
    async settled() {
      let quietSince = performance.now();
      for (
        let [seen, quiet] = [count, 0];
        quiet < quietTurns || (isBusy() && performance.now() < quietSince + maxBusyMs);
        quiet += 1
      ) {
        await nextTurn();
        if (count === seen) continue;
        [seen, quiet] = [count, 0];
        quietSince = performance.now();
      }
      if (isBusy()) throw new Error("a function does not end");
    },
  };
}
