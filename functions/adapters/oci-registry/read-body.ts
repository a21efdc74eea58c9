import { isUtf8 } from "node:buffer";
import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { jsonBoundReason } from "./json-bounds.ts";

/** A body exceeds its limit, compressed or decompressed. */
export class BodyTooLarge extends Error {
  override readonly name = "TooLarge";
}

export interface BodyOptions {
  readonly limit: number;
  /** The `Content-Encoding`: gzip, or null. */
  readonly encoding: string | null;
  /** If false, what exceeds the limit is discarded. */
  readonly isCompleteRequired: boolean;
  /** Called with each chunk that is kept, before the next one is read. */
  readonly onChunk: (bytes: number) => Promise<void> | void;
}

/**
 * Reads and decompresses a body chunk by chunk, so that it stops at its limit. Throws `BodyTooLarge`, errors of the decompression, and
 * what `onChunk` throws.
 */
export async function readBody(body: Readable, options: BodyOptions): Promise<Uint8Array> {
  const { limit, encoding, isCompleteRequired, onChunk } = options;
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Breaking out of the loop closes the stream and its connection.
  for await (const chunk of decode(body, encoding, limit)) {
    size += chunk.byteLength;
    if (size > limit && isCompleteRequired) throw new BodyTooLarge();
    await onChunk(chunk.byteLength);
    chunks.push(chunk);
    if (size > limit) break;
  }
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks);
}

function decode(body: Readable, encoding: string | null, limit: number): AsyncIterable<Uint8Array> {
  if (encoding === null || encoding === "identity") return body;
  if (encoding !== "gzip" && encoding !== "x-gzip")
    throw new Error(`compressed by ${encoding}, which was not requested`);
  // Errors of each part end the others; the reader of the last one gets them.
  return pipeline(
    body,
    (source) => stopAt(source as AsyncIterable<Uint8Array>, limit),
    createGunzip(),
    () => {},
  );
}

/** Also bounds what was received: empty compressed blocks decompress to nothing. */
async function* stopAt(source: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of source) {
    size += chunk.byteLength;
    if (size > limit) throw new BodyTooLarge();
    yield chunk;
  }
}

const utf8 = new TextDecoder("utf-8");

/** Parses UTF-8 JSON; undefined, which is not a JSON value, if it is invalid or exceeds the bounds of `jsonBoundReason`. */
export function parseJson(bytes: Uint8Array): unknown {
  if (!isUtf8(bytes) || jsonBoundReason(bytes) !== null) return undefined;
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    return undefined;
  }
}
