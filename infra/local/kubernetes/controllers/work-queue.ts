import { ApiError } from "../api-errors.ts";
import type { Api } from "../verbs/context.ts";
import { workItemsFor, type NodeAgents } from "./enqueue.ts";

export interface Controllers {
  /** Runs work items until the queue is empty. */
  settle(): void;
  stop(): void;
}

/** Starts the controllers. They run after every change and between two requests, so they cause no conflicts. */
export function startControllers(api: Api, machines: NodeAgents): Controllers {
  const waiting = new Map<string, () => void>();
  let scheduled: NodeJS.Immediate | undefined;

  const settle = (): void => {
    scheduled = undefined;
    for (let next = waiting.entries().next(); !next.done; next = waiting.entries().next()) {
      const [key, work] = next.value;
      waiting.delete(key);
      runItem(work);
    }
  };
  const unsubscribe = api.store.subscribe((change) => {
    for (const [key, work] of workItemsFor(api, machines, change)) waiting.set(key, work);
    scheduled ??= setImmediate(settle);
  });
  return {
    settle,
    stop() {
      unsubscribe();
      clearImmediate(scheduled);
      waiting.clear();
    },
  };
}

/** Runs an item. After an API error, for example in a terminating namespace, it is retried at the next change. */
function runItem(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}
