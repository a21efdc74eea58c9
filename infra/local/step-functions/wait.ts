import { setTimeout as sleep } from "node:timers/promises";
import { longestTimerSeconds } from "./translate.ts";
import { NotForRetry } from "./not-for-retry.ts";

export interface Clock {
  readonly now: () => Date;
  /** Real seconds per second of a wait: 1 in real time, 0.01 on a clock a hundred times as fast, 0 not at all. */
  readonly waitScale: number;
  /** Waits out a Wait state where time does not pass by itself; a timer of as many scaled seconds does unless it is given. */
  readonly sleep?: (seconds: number, signal: AbortSignal) => Promise<void>;
}

/** Waits as the state of `waitAsTask` is told to, and gives back its input. Rejects with an AbortError on `signal`. */
export async function waitOut(told: unknown, clock: Clock, signal: AbortSignal): Promise<unknown> {
  const { input, seconds, timestamp } = told as { input: unknown; seconds?: unknown; timestamp?: unknown };
  const left = timestamp === undefined ? wholeSeconds(seconds) : secondsTo(timestamp, clock);
  const realSeconds = left * clock.waitScale;
  if (realSeconds > longestTimerSeconds) throw new NotForRetry("States.Runtime", `${realSeconds} s is too long a wait`);
  await (clock.sleep?.(left, signal) ?? sleep(realSeconds * 1000, undefined, { signal }));
  signal.throwIfAborted();
  return input;
}

function wholeSeconds(seconds: unknown): number {
  if (Number.isInteger(seconds) && (seconds as number) >= 0) return seconds as number;
  throw new NotForRetry("States.Runtime", `a wait of ${JSON.stringify(seconds)} is no number of seconds`);
}

function secondsTo(timestamp: unknown, clock: Clock): number {
  const due = typeof timestamp === "string" ? Date.parse(timestamp) : NaN;
  if (Number.isNaN(due)) throw new NotForRetry("States.Runtime", `${JSON.stringify(timestamp)} is no timestamp`);
  return Math.max(0, due - clock.now().getTime()) / 1000;
}
