import { RequestRefused } from "../failure.ts";
import type { Api } from "../rules/api.ts";
import { tasksAfter, type Machines } from "./tasks.ts";

export interface Controllers {
  /** Works until nothing is left to do before time passes. */
  settle(): void;
  stop(): void;
}

/** Wakes, after every change, whoever it concerns. All of it happens between two requests, so it never meets a conflict. */
export function startControllers(api: Api, machines: Machines): Controllers {
  const waiting = new Map<string, () => void>();
  let scheduled: NodeJS.Immediate | undefined;

  const settle = (): void => {
    scheduled = undefined;
    for (let next = waiting.entries().next(); !next.done; next = waiting.entries().next()) {
      const [key, work] = next.value;
      waiting.delete(key);
      attempt(work);
    }
  };
  const unsubscribe = api.store.subscribe((change) => {
    for (const [key, work] of tasksAfter(api, machines, change)) waiting.set(key, work);
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

/** A controller that is refused, as in a namespace that ends, tries again at the next change. */
function attempt(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof RequestRefused)) throw error;
  }
}
