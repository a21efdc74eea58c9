import { setImmediate as nextTurn } from "node:timers/promises";

/** Knows when nothing happens any more until time passes. */
export interface Activity {
  /** Called for whatever happens. */
  note(): void;
  /** Resolves when nothing is busy, and nothing has happened for some turns of the event loop. Throws if that does not come. */
  settled(): Promise<void>;
}

/** Loopback sockets, the interpreter and the controllers of the cluster need a few turns each. */
const quietTurns = 25;

interface Limits {
  /** What is busy for this long, and neither sends a request nor ends, hangs. Real time: a busy machine is slow. */
  readonly busyMs: number;
  /** What happens for this many turns of the event loop at one moment of virtual time never ends. */
  readonly turns: number;
}

const limits: Limits = { busyMs: 60_000, turns: 200_000 };

/** `busy` returns what must end by itself, before time passes. */
export function createActivity(busy: () => readonly string[], { busyMs, turns } = limits): Activity {
  let count = 0;
  return {
    note() {
      count += 1;
    },
    async settled() {
      let [seen, quiet, active] = [count, 0, 0];
      for (let quietSince = performance.now(); quiet < quietTurns || busy().length > 0; quiet += 1) {
        await nextTurn();
        if (quiet > quietTurns && performance.now() - quietSince > busyMs)
          throw new Error(`neither sends nor ends: ${busy().join(", ")}`);
        if (count === seen) continue;
        [seen, quiet, quietSince] = [count, 0, performance.now()];
        active += 1;
        if (active > turns) throw new Error(`time does not pass: ${busy().join(", ")}`);
      }
    },
  };
}

/** Rejects if `work` takes longer than that: timers are virtual, so a test that waits for ever would not time out. */
export async function expectEnd(work: Promise<unknown>, what: string): Promise<void> {
  const pending = new Set([work]);
  const done = work.finally(() => pending.clear());
  done.catch(() => undefined);
  for (const since = performance.now(); pending.size > 0; await nextTurn())
    if (performance.now() - since > limits.busyMs) throw new Error(`${what}: does not end`);
  await done;
}
