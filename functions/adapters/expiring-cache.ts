import { LRUCache } from "lru-cache";

/** A value, and the time from which it must not be used. */
export interface Expiring<T> {
  readonly value: T;
  readonly expiresAt: Date;
}

export interface ExpiringCache<T> {
  /** Returns the value, fetched if none is valid; concurrent callers share one fetch. */
  get(): Promise<T>;
  /** Drops a value that its recipient rejected. Keeps a value that was fetched since. */
  forget(rejected: T): void;
}

export interface KeyedExpiringCache<T> {
  get(key: string, fetch: () => Promise<Expiring<T>>): Promise<T>;
  forget(key: string, rejected: T): void;
}

/** Keeps what `fetch` returns until it expires. A failure reaches every caller that waits for it, and is not cached. */
export function createExpiringCache<T>(fetch: () => Promise<Expiring<T>>, now: () => Date): ExpiringCache<T> {
  const cache = createKeyedExpiringCache<T>(1, now);
  return { get: () => cache.get("", fetch), forget: (rejected) => cache.forget("", rejected) };
}

/** The same for at most `max` keys; the least recently used key is evicted. */
export function createKeyedExpiringCache<T>(max: number, now: () => Date): KeyedExpiringCache<T> {
  const cache = new LRUCache<string, Expiring<T>, () => Promise<Expiring<T>>>({
    max,
    ignoreFetchAbort: true, // callers that wait for an evicted key still get its value
    fetchMethod: (_key, _stale, { context: fetch }) => fetch(),
  });
  return {
    async get(key, fetch) {
      const expiresAt = cache.get(key)?.expiresAt; // undefined during a fetch
      // Not by lru-cache's ttl: that is inclusive, counts from the end of the fetch, and 0 means no expiry.
      if (expiresAt !== undefined && expiresAt <= now()) cache.delete(key);
      return (await cache.forceFetch(key, { context: fetch })).value;
    },
    forget(key, rejected) {
      if (cache.peek(key)?.value === rejected) cache.delete(key);
    },
  };
}
