import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Token } from "./token.ts";

interface Kept {
  readonly token: Promise<Token>;
  /** null while it is being fetched: whoever asks then waits for the same one. */
  header: string | null;
  usableUntil: number;
}

export interface TokenCache {
  /** The `Authorization` header with the token of this key. */
  get(key: string, fetch: () => Promise<Token>): Promise<string>;
  /** Forgets the token that was refused, not one that has been fetched since. */
  forget(key: string, header: string): void;
}

// A token has some kilobytes.
const mostTokens = 5000;

/** Keeps each token for four fifths of its life, counted on the own clock from before it was asked for. */
export function tokenCache(now: () => Date): TokenCache {
  const kept = new LRUCache<string, Kept>({ max: mostTokens });

  async function get(key: string, fetch: () => Promise<Token>): Promise<string> {
    const found = kept.get(key);
    const entry = found === undefined || found.usableUntil <= now().getTime() ? keep(key, fetch()) : found;
    return headerOf(await entry.token);
  }

  function keep(key: string, token: Promise<Token>): Kept {
    const askedAt = now().getTime();
    const entry: Kept = { token, header: null, usableUntil: Infinity };
    kept.set(key, entry);
    void settle(key, entry, askedAt);
    return entry;
  }

  async function settle(key: string, entry: Kept, askedAt: number): Promise<void> {
    try {
      const token = await entry.token;
      entry.header = headerOf(token);
      entry.usableUntil = askedAt + token.lifetimeSeconds * 800;
    } catch {
      if (kept.peek(key) === entry) kept.delete(key);
    }
  }

  function forget(key: string, header: string): void {
    if (kept.peek(key)?.header === header) kept.delete(key);
  }

  return { get, forget };
}

/** One key for everything that tells tokens apart, the login among it, which it does not show. */
export function tokenKey(parts: unknown): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64");
}

function headerOf({ value }: Token): string {
  return `Bearer ${value}`;
}
