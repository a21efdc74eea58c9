import { once } from "node:events";
import http, { type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import https, { type RequestOptions } from "node:https";
import { Unreachable } from "../errors.ts";

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** At most the bound. */
  readonly body: Uint8Array;
  readonly isWhole: boolean;
}

export interface Bounds {
  /** For the whole answer. */
  readonly seconds: number;
  readonly bytes: number;
}

/** Certificates and the like go with the headers. */
export type GetOptions = Omit<RequestOptions, "headers"> & { headers?: Record<string, string> };

/**
 * One GET and its answer, whatever its status. Node's own client follows no redirect, and takes the certificates of a
 * kubeconfig. Throws `Unreachable`, which names the host only: a URL may carry what is not for logs.
 */
export async function get(url: URL, options: GetOptions, { seconds, bytes }: Bounds): Promise<Answer> {
  const signal = AbortSignal.timeout(seconds * 1000);
  try {
    const client = url.protocol === "https:" ? https : http;
    const headers = { ...options.headers, accept: "application/json", "user-agent": "pawl" };
    // Kept connections do not survive the sleep of a Lambda, and a query a minute needs none.
    const request = client.request(url, { agent: false, ...options, headers, signal }).end();
    request.on("error", () => undefined); // once the headers are in, the response tells of it
    const [response] = (await once(request, "response")) as [IncomingMessage];
    const body = await readUpTo(bytes, response);
    return { status: response.statusCode ?? 0, headers: response.headers, ...body };
  } catch (error) {
    const why = signal.aborted ? `did not answer within ${seconds} seconds` : `does not answer (${codeOf(error)})`;
    throw new Unreachable(`Prometheus at ${url.host} ${why}`, { cause: error });
  }
}

async function readUpTo(bytes: number, response: IncomingMessage): Promise<Pick<Answer, "body" | "isWhole">> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    chunks.push(chunk);
    if (size > bytes) break; // which destroys the response
  }
  return { body: Buffer.concat(chunks).subarray(0, bytes), isWhole: size <= bytes };
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}
