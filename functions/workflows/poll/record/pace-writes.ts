import { setTimeout as sleepMs } from "node:timers/promises";
import pLimit from "p-limit";
import { Throttled } from "../../../ports/errors.ts";

const maxAttempts = 5;
const defaultPauseSeconds = 1;
const maxPauseSeconds = 10;

/** Runs one piece of work if its turn has come. Throws what `work` throws. */
export type PacedQueue = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Creates a queue that runs `concurrency` writes at a time. If the API server throttles one (429), all wait as long as it asks, and
 * that one is repeated: writes are conditional, so that a repetition writes nothing twice.
 */
export function createPacedQueue(concurrency: number): PacedQueue {
  const limit = pLimit(concurrency);
  let pause: Promise<unknown> = Promise.resolve();

  async function attempt<Result>(work: () => Promise<Result>, attemptsLeft: number): Promise<Result> {
    await pause;
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Throttled) || attemptsLeft <= 1) throw error;
      const seconds = Math.min(error.retryAfterSeconds ?? defaultPauseSeconds, maxPauseSeconds);
      pause = Promise.all([pause, sleepMs(seconds * 1000)]);
      return attempt(work, attemptsLeft - 1);
    }
  }

  return (work) => limit(() => attempt(work, maxAttempts));
}
