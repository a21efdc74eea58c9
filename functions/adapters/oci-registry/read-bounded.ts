import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";

/** More bytes than were bargained for, as they came or as they unpacked. */
export class TooLarge extends Error {
  override readonly name = "TooLarge";
}

const unpack = promisify(gunzip);

/** Reads a body up to a bound, and leaves the rest. Throws `TooLarge` where there is more and all of it is wanted. */
export async function readBounded(body: Readable, bound: number, isWholeWanted: boolean): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop early ends the stream, and its connection.
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > bound && isWholeWanted) throw new TooLarge();
    chunks.push(chunk);
    if (size > bound) break;
  }
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks);
}

/** What was packed by gzip unpacked, no further than the bound. Throws `TooLarge`, and what unpacking throws. */
export async function decoded(bytes: Uint8Array, encoding: string | null, bound: number): Promise<Uint8Array> {
  if (encoding === null || encoding === "identity" || bytes.byteLength === 0) return bytes;
  if (encoding !== "gzip" && encoding !== "x-gzip") throw new Error(`packed by ${encoding}, which was not asked for`);
  try {
    return await unpack(bytes, { maxOutputLength: bound });
  } catch (error) {
    throw error instanceof RangeError ? new TooLarge() : error;
  }
}
