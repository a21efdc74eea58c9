import { createConnectionPool } from "../../connection-pool.ts";
import { responseError, timeoutError } from "./connection-error.ts";
import { type OnChunk, startExchange } from "./exchange.ts";
import type { HostPolicy } from "./host-policy.ts";
import { assertPublicLiteral, lookupPublic } from "./public-address.ts";
import type { MemoryShare } from "../memory-budget.ts";
import { BodyTooLarge, readBody } from "./read-body.ts";
import { type ResponseHeaders, createResponseHeaders } from "./response-headers.ts";
import { Agent, type Dispatcher, EnvHttpProxyAgent } from "undici";

export interface HttpRequest {
  readonly method: "GET" | "HEAD" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly form?: URLSearchParams;
}

export interface Bounds {
  readonly seconds: number;
  readonly bytes: number;
  /** The prefix of messages: the registry and repository that the request is for. */
  readonly subject: string;
  readonly hosts: Pick<HostPolicy, "mayBePrivate">;
  /** What the response is counted to; absent for those that are small. */
  readonly memory?: MemoryShare;
}

export interface HttpResponse {
  readonly url: URL;
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** Complete if the status is 200, otherwise at most its first 64 KiB. */
  readonly body: Uint8Array;
}

const maxErrorBodyBytes = 64 * 1024;

/** Connections to hosts that the deployment names, and to all others. */
const pools = { named: createConnectionPool(), public: createConnectionPool() };

/**
 * Sends one request and returns its response, of any status; redirects are not followed. Uses the proxy of HTTPS_PROXY and
 * HTTP_PROXY except for the hosts of NO_PROXY. Throws `MemoryExceeded`; `Unreachable` if the response is late or incomplete,
 * `RegistryAnswerInvalid` if it is too large, `RegistryNotAllowed` if the host has no public address and is not named by the deployment.
 */
export async function send(url: URL, request: HttpRequest, bounds: Bounds): Promise<HttpResponse> {
  try {
    return await exchange(url, request, bounds);
  } catch (error) {
    throw responseError(error, url, bounds);
  }
}

async function exchange(url: URL, { method, headers, form }: HttpRequest, bounds: Bounds): Promise<HttpResponse> {
  const { memory, seconds, bytes } = bounds;
  const endsAt = performance.now() + seconds * 1000;
  memory?.signal.throwIfAborted();
  const options = {
    origin: url.origin,
    path: url.pathname + url.search,
    method,
    headers: { "user-agent": "pawl", "accept-encoding": "gzip", ...contentTypeHeader(form), ...headers },
    body: form?.toString() ?? null,
  };
  const { response, cancel } = startExchange(dispatcherFor(url, bounds), options, boundBody(bounds));
  const timer = setTimeout(() => cancel(timeoutError()), Math.max(0, Math.ceil(seconds * 1000)));
  const evict = () => cancel(memory?.signal.reason as Error);
  memory?.signal.addEventListener("abort", evict);
  try {
    const { status, chunks, ...received } = await response;
    const responseHeaders = createResponseHeaders(received.headers);
    const encoding = method === "HEAD" || status !== 200 ? null : responseHeaders.get("content-encoding");
    const body = await readBody(chunks, encoding, bytes, (count) => {
      if (performance.now() > endsAt) throw timeoutError();
      return memory?.receive(count);
    });
    return { url, status, headers: responseHeaders, body };
  } finally {
    clearTimeout(timer);
    memory?.signal.removeEventListener("abort", evict);
  }
}

/** Counts what is received. */
function boundBody({ bytes, memory }: Bounds): OnChunk {
  let received = 0;
  return (count, status) => {
    received += count;
    if (status === 200 && received > bytes) throw new BodyTooLarge();
    const wait = memory?.receive(count);
    return status !== 200 && received > maxErrorBodyBytes ? "enough" : wait;
  };
}

/** A proxy resolves names itself: behind one, only literal addresses are checked here. */
function dispatcherFor(url: URL, { hosts }: Bounds): Dispatcher {
  if (hosts.mayBePrivate(url)) return pools.named(() => openAgent({}));
  assertPublicLiteral(url);
  return pools.public(() => openAgent({ connect: { lookup: lookupPublic } }));
}

/** Looks for a proxy for each request only if there is one. */
function openAgent(options: Agent.Options): Dispatcher {
  const isProxied = proxyVariables.some((name) => process.env[name]);
  return isProxied ? new EnvHttpProxyAgent({ proxyTunnel: true, ...options }) : new Agent(options);
}

/** Those that undici reads. */
const proxyVariables = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY"];

function contentTypeHeader(form: URLSearchParams | undefined): Record<string, string> {
  return form === undefined ? {} : { "content-type": "application/x-www-form-urlencoded;charset=UTF-8" };
}
