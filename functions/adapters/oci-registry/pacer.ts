import { setTimeout as delay } from "node:timers/promises";

/** Resolves when that many bytes of large answers may be processed. */
export type Pacer = (bytes: number) => Promise<void>;

/** Creates a pacer of all large answers together. Each waits for its own chunks only, so that all of them advance. */
export function createPacer(bytesPerSecond: number): Pacer {
  let nextAt = 0;
  return async (bytes) => {
    const now = performance.now();
    const at = Math.max(now, nextAt);
    nextAt = at + (bytes / bytesPerSecond) * 1000;
    if (at > now) await delay(at - now);
  };
}
