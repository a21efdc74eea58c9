import { ResponseContext } from "@kubernetes/client-node";
import { Unreachable } from "../../ports/errors.ts";

/** An object has at most 1.5 MiB in etcd. */
export const maxResponseBytes = 32 * 1024 * 1024;

/** The response has more bytes than its request allows. */
export class ResponseTooLarge extends Unreachable {}

/** Returns the response with a body that is read up to `maxBytes`, decompressed. Reading it throws `ResponseTooLarge` after that. */
export function boundBody({ httpStatusCode, headers, body }: ResponseContext, maxBytes: number): ResponseContext {
  return new ResponseContext(httpStatusCode, headers, {
    ...body,
    text: async () => (await readUpTo(body.stream(), maxBytes)).toString("utf8"),
  });
}

async function readUpTo(stream: AsyncIterable<Uint8Array> | null | undefined, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream ?? []) {
    size += chunk.byteLength;
    // Leaving the loop cancels the stream.
    if (size > maxBytes) throw new ResponseTooLarge(`the response has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
