import { LRUCache } from "lru-cache";
import { createResponseHeaders, type ResponseHeaders } from "./http/response-headers.ts";

/** A response that its registry can confirm (304) instead of sending it again. */
export interface CachedResponse {
  readonly etag: string;
  readonly headers: ResponseHeaders;
  readonly body: Uint8Array;
}

interface CacheableResponse {
  readonly url: URL;
  readonly credentialId: string;
  readonly headers: ResponseHeaders;
  readonly body: Uint8Array;
}

export interface ResponseCache {
  /** Returns what this URL answered to these credentials; undefined if that is not cached. */
  find(url: URL, credentialId: string): CachedResponse | undefined;
  /** Stores a validated response that has an ETag. */
  store(response: CacheableResponse): void;
}

// The headers that are read from a response later.
const storedHeaders = ["etag", "link", "docker-content-digest"];
const maxEtagLength = 1024;
// The overhead of an entry, without its key and its body.
const entryBytes = 1024;

/** Creates an LRU cache of at most `bytes` bytes. A response is only returned to the credentials that received it. */
export function createResponseCache(bytes: number): ResponseCache {
  const cache = new LRUCache<string, CachedResponse>({
    maxSize: bytes,
    sizeCalculation: ({ body }, key) => entryBytes + key.length + body.byteLength,
  });

  function store({ url, credentialId, headers, body }: CacheableResponse): void {
    const etag = headers.get("etag");
    const key = cacheKey(url, credentialId);
    if (etag === null || etag.length > maxEtagLength || cache.peek(key)?.body === body) return;
    const stored = Object.fromEntries(storedHeaders.map((name) => [name, headers.get(name) ?? undefined]));
    // A copy: the bytes may be a small part of a large buffer.
    cache.set(key, { etag, headers: createResponseHeaders(stored), body: new Uint8Array(body) });
  }

  return { find: (url, credentialId) => cache.get(cacheKey(url, credentialId)), store };
}

function cacheKey(url: URL, credentialId: string): string {
  return `${credentialId} ${url.href}`;
}
