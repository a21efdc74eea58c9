import { setTimeout as pause } from "node:timers/promises";

/** Only ends what hangs: on a busy machine some conditions take a minute. */
const withinSeconds = 240;

/**
 * Calls a function until its result is neither undefined nor false, and returns the result. Errors are retried; after four
 * minutes the last one is the cause of the error. Rejects at once if `unless` does.
 */
export async function eventually<T>(
  what: string,
  ask: () => Promise<T | undefined | false>,
  unless: Promise<never> = new Promise(() => {}),
): Promise<T> {
  const deadline = performance.now() + withinSeconds * 1000;
  for (;;) {
    let failure: unknown;
    try {
      const answer = await ask();
      if (answer !== undefined && answer !== false) return answer;
    } catch (error) {
      failure = error;
    }
    if (performance.now() > deadline) throw new Error(`not within ${withinSeconds} s: ${what}`, { cause: failure });
    await Promise.race([pause(50), unless]);
  }
}
