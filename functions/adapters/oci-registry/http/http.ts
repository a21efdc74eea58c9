import { createConnectionPool } from "../../connection-pool.ts";
import { isUnansweredName, responseError, timeoutError } from "./connection-error.ts";
import { type OnChunk, startExchange } from "./exchange.ts";
import { assertPublicLiteral, createLookup } from "./public-address.ts";
import { createNameResolver, type ResolveName } from "./resolve-names.ts";
import type { MemoryShare } from "../memory-budget.ts";
import { BodyTooLarge, BodyTooSlow, readBody } from "./read-body.ts";
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
  /** Reports whether the host of a URL may have a private address. */
  readonly mayBePrivate: (url: URL) => boolean;
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

/** A body that arrives more slowly than this, after some seconds, holds memory and a connection for nothing. */
const minBytesPerSecond = 2048;
const graceMs = 10_000;

/** One for all registries of the process, because so is the pool of connections. */
let resolveName: ResolveName = createNameResolver();

/** Resolves the names of registries by other servers. Returns what restores the servers of the system; only for tests. */
export function useNameServers(resolve: ResolveName): () => void {
  const before = resolveName;
  resolveName = resolve;
  return () => void (resolveName = before);
}

/**
 * Resolves the name of a host before its turn, so that a request does not wait for DNS while it has a connection. Throws `Unreachable`
 * if nobody answers. What fails otherwise is left to the connection; a proxy resolves names itself.
 */
export async function resolveHost(host: string, subject: string, payer: string): Promise<void> {
  if (isProxied()) return;
  const url = new URL(`https://${host}`);
  await resolveName(url.hostname, payer).catch((error: unknown) => {
    if (isUnansweredName(error)) throw responseError(error, url, { subject, seconds: 0, bytes: 0 });
  });
}

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

/** Counts what is received. Large bodies wait here, but those are faster than the minimum all the same. */
function boundBody({ bytes, memory }: Bounds): OnChunk {
  let received = 0;
  let firstAt = 0;
  return (count, status) => {
    if (received === 0) firstAt = performance.now();
    received += count;
    const elapsedMs = performance.now() - firstAt;
    if (elapsedMs > graceMs && received < (elapsedMs / 1000) * minBytesPerSecond) throw new BodyTooSlow();
    if (status === 200 && received > bytes) throw new BodyTooLarge();
    const wait = memory?.receive(count);
    return status !== 200 && received > maxErrorBodyBytes ? "enough" : wait;
  };
}

/** A proxy resolves names itself: behind one, only literal addresses are checked here. */
function dispatcherFor(url: URL, { mayBePrivate }: Bounds): Dispatcher {
  const resolve: ResolveName = (...asked) => resolveName(...asked);
  if (mayBePrivate(url)) return pools.named(() => openAgent({ connect: { lookup: createLookup(resolve, "any") } }));
  assertPublicLiteral(url);
  return pools.public(() => openAgent({ connect: { lookup: createLookup(resolve, "public") } }));
}

/** Looks for a proxy for each request only if there is one. */
function openAgent(options: Agent.Options): Dispatcher {
  return isProxied() ? new EnvHttpProxyAgent({ proxyTunnel: true, ...options }) : new Agent(options);
}

function isProxied(): boolean {
  return proxyVariables.some((name) => process.env[name]);
}

/** Those that undici reads. */
const proxyVariables = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY"];

function contentTypeHeader(form: URLSearchParams | undefined): Record<string, string> {
  return form === undefined ? {} : { "content-type": "application/x-www-form-urlencoded;charset=UTF-8" };
}
