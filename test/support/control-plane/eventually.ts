import { setTimeout as pause } from "node:timers/promises";

const withinSeconds = 120;

/**
 * Asks again and again until the answer is neither undefined nor false, and gives that answer. A question that throws
 * is asked again; what it threw last is the cause of the error after two minutes. Throws at once what `unless` does.
 */
export async function eventually<Answer>(
  what: string,
  ask: () => Promise<Answer | undefined | false>,
  unless: Promise<never> = new Promise(() => {}),
): Promise<Answer> {
  const giveUpAt = performance.now() + withinSeconds * 1000;
  for (;;) {
    let failure: unknown;
    try {
      const answer = await ask();
      if (answer !== undefined && answer !== false) return answer;
    } catch (error) {
      failure = error;
    }
    if (performance.now() > giveUpAt) throw new Error(`not within ${withinSeconds} s: ${what}`, { cause: failure });
    await Promise.race([pause(50), unless]);
  }
}
