/** Runs one task at a time, and once more if it was asked for meanwhile. Waits a moment first, so that a burst is one run. */
export function createPending(task: () => Promise<void>, delayMs: number): { request(): void; stop(): void } {
  let timer: NodeJS.Timeout | null = null;
  let [isRunning, isRequested, isStopped] = [false, false, false];

  async function run(): Promise<void> {
    timer = null;
    [isRunning, isRequested] = [true, false];
    await task();
    isRunning = false;
    if (isRequested) start();
  }

  function start(): void {
    if (isStopped || timer !== null) return;
    timer = setTimeout(() => void run(), delayMs);
  }

  return {
    request() {
      isRequested = true;
      if (!isRunning) start();
    },
    stop() {
      isStopped = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}
