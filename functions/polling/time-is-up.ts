/** A part of a poll has had its time: nothing more is begun. Nobody hears of it but the poll itself. */
export class TimeIsUp extends Error {
  override readonly name = "TimeIsUp";
}

/** Resolves at once where time is up already. */
export function timeIsUp(outOfTime: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (outOfTime.aborted) resolve();
  outOfTime.addEventListener("abort", () => resolve(), { once: true });
  return promise;
}

export function assertTime(outOfTime: AbortSignal): void {
  if (outOfTime.aborted) throw new TimeIsUp("the poll has had its time");
}

/** The signal of who has all the time there is. */
export function allTheTime(): AbortSignal {
  return new AbortController().signal;
}
