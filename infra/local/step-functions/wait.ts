import { setTimeout as sleep } from "node:timers/promises";
import { maxTimerSeconds } from "./translate.ts";
import { NonRetryableError } from "./non-retryable-error.ts";

export interface WaitClock {
  readonly now: () => Date;
  /** Real seconds per second of a wait: 1 in real time, 0.01 on a clock a hundred times as fast, 0 not at all. */
  readonly waitScale: number;
  /** Replaces the timer of Wait states, for tests that control time. By default a timer of the scaled seconds is used. */
  readonly sleep?: (seconds: number, signal: AbortSignal) => Promise<void>;
}

/** Runs a Wait state that `translate` turned into a Task, and returns its input. Rejects with an AbortError on `signal`. */
export async function runWait(parameters: unknown, clock: WaitClock, signal: AbortSignal): Promise<unknown> {
  const { input, seconds, timestamp } = parameters as { input: unknown; seconds?: unknown; timestamp?: unknown };
  const remaining = timestamp === undefined ? parseSeconds(seconds) : secondsUntil(timestamp, clock);
  const realSeconds = remaining * clock.waitScale;
  if (realSeconds > maxTimerSeconds)
    throw new NonRetryableError("States.Runtime", `wait of ${realSeconds} s is longer than ${maxTimerSeconds} s`);
  await (clock.sleep?.(remaining, signal) ?? sleep(realSeconds * 1000, undefined, { signal }));
  signal.throwIfAborted();
  return input;
}

function parseSeconds(seconds: unknown): number {
  if (Number.isInteger(seconds) && (seconds as number) >= 0) return seconds as number;
  throw new NonRetryableError(
    "States.Runtime",
    `wait: invalid seconds ${JSON.stringify(seconds)}; use a non-negative integer`,
  );
}

function secondsUntil(timestamp: unknown, clock: WaitClock): number {
  const due = typeof timestamp === "string" ? Date.parse(timestamp) : NaN;
  if (Number.isNaN(due))
    throw new NonRetryableError("States.Runtime", `wait: invalid timestamp ${JSON.stringify(timestamp)}; use RFC 3339`);
  return Math.max(0, due - clock.now().getTime()) / 1000;
}
