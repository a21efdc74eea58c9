/** Does things in order for each key, and side by side for different keys. */
export function queueByKey(): (key: string, action: () => Promise<void>) => void {
  const last = new Map<string, Promise<void>>();
  return (key, action) => {
    const next = (last.get(key) ?? Promise.resolve()).then(action).finally(() => {
      if (last.get(key) === next) last.delete(key);
    });
    last.set(key, next);
  };
}
