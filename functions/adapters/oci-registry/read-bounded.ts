/** Reads a body up to a bound, counted as it streams and after decompression. Throws the signal's reason on abort. */
export async function readBounded(
  response: Response,
  bound: number,
  signal: AbortSignal,
): Promise<{ readonly bytes: Uint8Array; readonly whole: boolean }> {
  if (response.body === null) return { bytes: new Uint8Array(), whole: true };
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
  const stop = () => void reader.cancel().catch(() => undefined);
  // fetch loses sight of its signal once the headers are in and the request is collected as garbage.
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await readFrom(reader, bound, signal);
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
  }
}

async function readFrom(reader: ReadableStreamDefaultReader<Uint8Array>, bound: number, signal: AbortSignal) {
  const chunks: Uint8Array[] = [];
  let size = 0;
  while (true) {
    const { done, value } = await reader.read();
    signal.throwIfAborted();
    if (done) return { bytes: Buffer.concat(chunks), whole: true };
    size += value.byteLength;
    if (size > bound) return { bytes: Buffer.concat(chunks), whole: false };
    chunks.push(value);
  }
}
