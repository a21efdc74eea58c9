/** Creates a queue that runs actions of the same key in order, and of different keys concurrently. */
export function createKeyedQueue(): (key: string, action: () => Promise<void>) => void {
  const last = new Map<string, Promise<void>>();
  return (key, action) => {
    const next = (last.get(key) ?? Promise.resolve()).then(action).finally(() => {
      if (last.get(key) === next) last.delete(key);
    });
    last.set(key, next);
  };
}
