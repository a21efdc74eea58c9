import { setImmediate } from "node:timers/promises";
import type { Workload } from "../domain/workload.ts";
import type { Seat } from "./place.ts";
import type { Polled } from "./polled.ts";
import type { Seated } from "./share.ts";
import { timeIsUp } from "./time-is-up.ts";
import { type Undone, undoneOf } from "./undone.ts";

export interface Turns {
  /** Never throws; null where time was up before anything was done about the workload. */
  readonly turn: (workload: Workload) => Promise<Polled | null>;
  readonly done: (polled: Polled, host: string) => void;
  readonly outOfTime: AbortSignal;
  /** Resolves when what was begun before time was up is done, or has had long enough. */
  readonly begunIsDone: () => Promise<unknown>;
}

/**
 * Gives every workload its turn, by place, and says which had none when time was up; what comes of those later is not
 * heard. All of them wait at once, each for its own registry; what has had its turn is forgotten.
 */
export async function takeTurns(seated: Seated[], { turn, done, outOfTime, begunIsDone }: Turns): Promise<Undone> {
  const open = new Set<Seat>();

  async function take({ host, place, workload }: Seated): Promise<void> {
    const seat = { host, place };
    open.add(seat);
    const polled = await turn(workload);
    if (polled !== null && open.delete(seat)) done(polled, host);
  }

  await Promise.race([Promise.all(seated.splice(0).map(take)), timeIsUp(outOfTime)]);
  if (outOfTime.aborted) await begunIsDone();
  // What has just been done is heard in a moment.
  await setImmediate();
  const undone = undoneOf(open);
  open.clear();
  return undone;
}
