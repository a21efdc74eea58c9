import { isUtf8 } from "node:buffer";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";

/** A body exceeds its limit, compressed or decompressed. */
export class BodyTooLarge extends Error {
  override readonly name = "TooLarge";
}

const decompress = promisify(gunzip);

/** Reads a body up to `limit` bytes and discards the rest. Throws `BodyTooLarge` if there is more and `isCompleteRequired`. */
export async function readLimited(body: Readable, limit: number, isCompleteRequired: boolean): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Breaking out of the loop closes the stream and its connection.
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > limit && isCompleteRequired) throw new BodyTooLarge();
    chunks.push(chunk);
    if (size > limit) break;
  }
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks);
}

/** Decompresses a gzip body up to `limit` bytes. Throws `BodyTooLarge`, and errors of the decompression. */
export async function decodeBody(bytes: Uint8Array, encoding: string | null, limit: number): Promise<Uint8Array> {
  if (encoding === null || encoding === "identity" || bytes.byteLength === 0) return bytes;
  if (encoding !== "gzip" && encoding !== "x-gzip")
    throw new Error(`compressed by ${encoding}, which was not requested`);
  try {
    return await decompress(bytes, { maxOutputLength: limit });
  } catch (error) {
    throw error instanceof RangeError ? new BodyTooLarge() : error;
  }
}

const utf8 = new TextDecoder("utf-8");

/** Parses UTF-8 JSON; undefined, which is not a JSON value, if it is invalid. */
export function parseJson(bytes: Uint8Array): unknown {
  if (!isUtf8(bytes)) return undefined;
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    return undefined;
  }
}
