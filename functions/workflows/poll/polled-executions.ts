import { Throttled } from "../../ports/errors.ts";
import type { Executions } from "../../ports/executions.ts";

/**
 * Returns the executions as one poll sees them. It lists those that run once, when it is first asked about one, and asks about a single
 * one only if that is missing there. `state` returns "running" also if AWS does not say: if it does not return the list, or throttles.
 * The next poll asks again. Calls `onDelay` with what prevented an answer, or a start.
 */
export function createPolledExecutions<Input>(
  executions: Executions<Input>,
  onDelay: (error: Error) => void,
): Executions<Input> {
  let listed: Promise<ReadonlyMap<string, Date>> | null = null;

  async function listRunning(): Promise<ReadonlyMap<string, Date>> {
    listed ??= executions.listRunning().catch((error: Error) => {
      onDelay(error);
      throw error;
    });
    return listed;
  }

  async function reportDelay<Result>(request: Promise<Result>): Promise<Result> {
    return request.catch((error: Error) => {
      if (error instanceof Throttled) onDelay(error);
      throw error;
    });
  }

  return {
    listRunning,
    async state(name) {
      // AWS may not return the list, for whatever reason: a role of an older version may not.
      const running = await listRunning().catch(() => null);
      if (running === null || running.has(name)) return "running";
      return reportDelay(executions.state(name)).catch(whenThrottled("running" as const));
    },
    failure: (name) => reportDelay(executions.failure(name)),
    start: (name, input) => reportDelay(executions.start(name, input)),
  };
}

/** Returns what catches `Throttled`, and has this result instead. */
export function whenThrottled<Result>(instead: Result): (error: unknown) => Result {
  return (error) => {
    if (error instanceof Throttled) return instead;
    throw error;
  };
}
