import { setTimeout as pause } from "node:timers/promises";
import type { Random } from "../random.ts";

/** Acts again and again until the signal is aborted, and waits between two acts. Its last act is completed. */
export async function repeat(
  signal: AbortSignal,
  random: Random,
  [minSeconds, maxSeconds]: readonly [number, number],
  act: () => Promise<void>,
): Promise<void> {
  for (;;) {
    await sleep(random.between(minSeconds, maxSeconds), signal);
    if (signal.aborted) return;
    await act();
  }
}

/** Resolves after this time, or if the signal is aborted. */
export async function sleep(seconds: number, signal?: AbortSignal): Promise<void> {
  await pause(seconds * 1000, undefined, signal === undefined ? {} : { signal }).catch((error: Error) => {
    if (error.name !== "AbortError") throw error;
  });
}
