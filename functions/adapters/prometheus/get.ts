import { once } from "node:events";
import http, { type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import https, { type RequestOptions } from "node:https";
import { Unreachable } from "../../ports/errors.ts";

export interface PrometheusResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Truncated to the limit. */
  readonly body: Uint8Array;
  readonly isComplete: boolean;
  /** What to do if access is refused. */
  readonly fix?: string;
}

export interface Bounds {
  /** For the complete response. */
  readonly seconds: number;
  readonly bytes: number;
}

export const defaultBounds: Bounds = { seconds: 15, bytes: 1024 * 1024 };

/** Options of the request, such as client certificates, and its headers. */
export type GetOptions = Omit<RequestOptions, "headers"> & { headers?: Record<string, string> };

/**
 * Sends one GET and returns its response, of any status. Node's own client follows no redirects, and accepts the
 * certificates of a kubeconfig. Throws `Unreachable`, which names the host only: a URL may contain secrets.
 */
export async function get(url: URL, options: GetOptions, { seconds, bytes }: Bounds): Promise<PrometheusResponse> {
  const signal = AbortSignal.timeout(seconds * 1000);
  try {
    const client = url.protocol === "https:" ? https : http;
    const headers = { ...options.headers, accept: "application/json", "user-agent": "pawl" };
    // Keep-alive connections do not survive a frozen Lambda, and one query a minute does not need them.
    const request = client.request(url, { agent: false, ...options, headers, signal }).end();
    request.on("error", () => undefined); // after the headers, the response reports errors
    const [response] = (await once(request, "response")) as [IncomingMessage];
    const body = await readUpTo(bytes, response);
    return { status: response.statusCode ?? 0, headers: response.headers, ...body };
  } catch (error) {
    const reason = signal.aborted ? `did not answer within ${seconds} seconds` : `does not answer (${codeOf(error)})`;
    throw new Unreachable(`${url.host} ${reason}`, { cause: error });
  }
}

/** Adds to a response what to do if it refuses access. */
export function withFix(response: PrometheusResponse, fix: Readonly<Record<401 | 403, string>>): PrometheusResponse {
  const { status } = response;
  return status === 401 || status === 403 ? { ...response, fix: fix[status] } : response;
}

async function readUpTo(
  bytes: number,
  response: IncomingMessage,
): Promise<Pick<PrometheusResponse, "body" | "isComplete">> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    chunks.push(chunk);
    if (size > bytes) break; // destroys the response
  }
  return { body: Buffer.concat(chunks).subarray(0, bytes), isComplete: size <= bytes };
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}
