/** Resolves with the first Ctrl-C or SIGTERM. */
export async function awaitInterrupt(): Promise<void> {
  const signal = createInterruptSignal();
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener("abort", () => resolve(), { once: true });
  await promise;
  // A request without an answer must not hold the command back.
  setTimeout(() => process.exit(), 1000).unref();
}

/** Returns a signal that is aborted by the first Ctrl-C or SIGTERM. */
export function createInterruptSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => controller.abort());
  return controller.signal;
}
