import type { IncomingMessage } from "node:http";

/** The body as text; null where it has more bytes than that, which are not read. */
export async function readText(request: IncomingMessage, mostBytes: number): Promise<string | null> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > mostBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
