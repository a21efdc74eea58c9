import { LRUCache } from "lru-cache";
import { type AnswerHeaders, headersOf } from "./answer-headers.ts";
import type { Reply } from "./exchange.ts";

/** An answer that its registry can confirm instead of sending it again. */
export interface KeptAnswer {
  readonly etag: string;
  readonly headers: AnswerHeaders;
  readonly body: Uint8Array;
}

export interface KeptAnswers {
  /** What this URL answered when this login asked; undefined where that is not kept. */
  find(url: URL, whose: string): KeptAnswer | undefined;
  /** Keeps an answer that has been found good and has an ETag. */
  keep(reply: Reply): void;
}

// Those that are read from an answer once it is there.
const keptHeaders = ["etag", "link", "docker-content-digest"];
const longestEtag = 1024;
// An entry's own share, besides its key and its body.
const entryBytes = 1024;

/** The answers used last, in at most so many bytes. None is ever given to another login than it was given to. */
export function keptAnswers(bytes: number): KeptAnswers {
  const kept = new LRUCache<string, KeptAnswer>({
    maxSize: bytes,
    sizeCalculation: ({ body }, key) => entryBytes + key.length + body.byteLength,
  });

  function keep({ url, whose, headers, body }: Reply): void {
    const etag = headers.get("etag");
    const key = keyOf(url, whose);
    if (etag === null || etag.length > longestEtag || kept.peek(key)?.body === body) return;
    const few = headersOf(Object.fromEntries(keptHeaders.map((name) => [name, headers.get(name) ?? undefined])));
    // A copy: the bytes may be a small part of a large buffer.
    kept.set(key, { etag, headers: few, body: new Uint8Array(body) });
  }

  return { find: (url, whose) => kept.get(keyOf(url, whose)), keep };
}

function keyOf(url: URL, whose: string): string {
  return `${whose} ${url.href}`;
}
