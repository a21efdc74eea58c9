/** The deadline of one part of a poll has passed, so nothing more is started. Never leaves the poll. */
export class DeadlineExceeded extends Error {
  override readonly name = "DeadlineExceeded";
}

/** Resolves when `signal` is aborted; at once if it already is. */
export function deadlinePassed(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) resolve();
  signal.addEventListener("abort", () => resolve(), { once: true });
  return promise;
}

/** Throws `DeadlineExceeded` if `signal` is aborted. */
export function throwIfPastDeadline(signal: AbortSignal): void {
  if (signal.aborted) throw new DeadlineExceeded("the deadline of the poll has passed");
}

/** Returns a signal that is never aborted. */
export function noDeadline(): AbortSignal {
  return new AbortController().signal;
}
