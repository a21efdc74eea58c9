import { setTimeout as sleepMs } from "node:timers/promises";
import { isConflict } from "../ports/errors.ts";

interface RetryOptions<Target, Result> {
  /** How many times `write` is called at most. */
  readonly attempts: number;
  /** After how many milliseconds nothing is tried again. Default: no limit. */
  readonly maxMs?: number;
  /** What the first attempt writes to. */
  readonly current: Target;
  /** Reads what the next attempt writes to. */
  readonly read: () => Promise<Target>;
  readonly write: (target: Target) => Promise<Result>;
}

/**
 * Retries `write` on a freshly read object as long as it throws `Conflict`, like `retry.RetryOnConflict` of client-go. Throws the
 * conflict of the last attempt, any other error of `write`, and what `read` throws.
 */
export async function retryOnConflict<Target, Result>(options: RetryOptions<Target, Result>): Promise<Result> {
  const { attempts, maxMs = Number.POSITIVE_INFINITY } = options;
  const deadline = Date.now() + maxMs;
  let target = options.current;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await options.write(target);
    } catch (error) {
      if (!isConflict(error) || attempt >= attempts || Date.now() > deadline) throw error;
    }
    await sleepMs(pauseMs(attempt));
    target = await options.read();
  }
}

/** None, then about 100 and 400 ms: the controller of a rollout writes in bursts. */
function pauseMs(attempt: number): number {
  return attempt === 1 ? 0 : 25 * 4 ** (attempt - 1) * (0.5 + Math.random());
}

/** A controller that writes to its object every second, or an autoscaler, rarely hits a step twice. */
const maxTries = 5;

/** A step has 60 s: what took long is left to the state machine, which retries for an hour. */
const maxRetryMs = 10_000;

/** Runs a step again as long as it throws `Conflict`. It reads its objects first, and decides again. */
export function retryStep<Output>(step: () => Promise<Output>): Promise<Output> {
  const reread = () => Promise.resolve();
  return retryOnConflict({ attempts: maxTries, maxMs: maxRetryMs, current: undefined, read: reread, write: step });
}
