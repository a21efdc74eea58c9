import { isUtf8 } from "node:buffer";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { jsonBoundReason } from "./json-bounds.ts";

/** A body exceeds its limit, compressed or decompressed. */
export class BodyTooLarge extends Error {
  override readonly name = "TooLarge";
}

/** A body arrives more slowly than any registry that works. */
export class BodyTooSlow extends Error {
  override readonly name = "TooSlow";
}

/**
 * Returns a body that was received in chunks, decompressed. `encoding` is its `Content-Encoding`: gzip, or null. Stops at `limit` bytes, and
 * calls `onChunk` for each decompressed chunk before the next one. Throws `BodyTooLarge`, errors of the decompression, and what `onChunk`
 * throws.
 */
export async function readBody(
  received: readonly Uint8Array[],
  encoding: string | null,
  limit: number,
  onChunk: (bytes: number) => Promise<void> | void,
): Promise<Uint8Array> {
  if (encoding === null || encoding === "identity") return Buffer.concat(received);
  if (encoding !== "gzip" && encoding !== "x-gzip")
    throw new Error(`compressed by ${encoding}, which was not requested`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of pipeline(received, createGunzip(), () => {}) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > limit) throw new BodyTooLarge();
    await onChunk(chunk.byteLength);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
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
