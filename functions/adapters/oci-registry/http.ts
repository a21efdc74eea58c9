import { RegistryAnswerInvalid, RegistryNotAllowed, Unreachable } from "../../ports/errors.ts";
import { describeConnectionCode } from "../connection-failure.ts";
import { createConnectionPool } from "../connection-pool.ts";
import type { HostPolicy } from "./host-policy.ts";
import { addressNotPublic, assertPublicLiteral, lookupPublic } from "./public-address.ts";
import { type MemoryShare, MemoryExceeded } from "./memory-budget.ts";
import { readBody, BodyTooLarge } from "./read-body.ts";
import { type ResponseHeaders, createResponseHeaders } from "./response-headers.ts";
import { type Dispatcher, EnvHttpProxyAgent, request as sendRequest } from "undici";

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
 * HTTP_PROXY except for the hosts of NO_PROXY. Calls undici directly: `fetch` on top of it needs half as much memory and
 * CPU again. Throws `MemoryExceeded`; `Unreachable` if the response is late or incomplete, `RegistryAnswerInvalid` if it is too large, `RegistryNotAllowed` if
 * the host has no public address and is not named by the deployment.
 */
export async function send(url: URL, { method, headers, form }: HttpRequest, bounds: Bounds): Promise<HttpResponse> {
  const controller = new AbortController();
  // Cleared with the response, unlike that of AbortSignal.timeout: a poll sends thousands of requests in half a minute.
  const timer = setTimeout(() => controller.abort(timeoutError()), Math.max(0, Math.ceil(bounds.seconds * 1000)));
  const { memory } = bounds;
  const stop = () => controller.abort(memory?.signal.reason);
  memory?.signal.addEventListener("abort", stop);
  try {
    memory?.signal.throwIfAborted();
    const response = await sendRequest(url, {
      method,
      headers: { "user-agent": "pawl", "accept-encoding": "gzip", ...contentTypeHeader(form), ...headers },
      body: form?.toString() ?? null,
      signal: controller.signal,
      dispatcher: dispatcherFor(url, bounds),
    });
    const responseHeaders = createResponseHeaders(response.headers);
    const isSuccess = response.statusCode === 200;
    const body = await readBody(response.body, {
      limit: isSuccess ? bounds.bytes : maxErrorBodyBytes,
      encoding: method === "HEAD" || !isSuccess ? null : responseHeaders.get("content-encoding"),
      isCompleteRequired: isSuccess,
      onChunk: (count) => memory?.receive(count),
    });
    return { url, status: response.statusCode, headers: responseHeaders, body };
  } catch (error) {
    throw responseError(controller.signal.reason ?? error, url, bounds);
  } finally {
    clearTimeout(timer);
    memory?.signal.removeEventListener("abort", stop);
  }
}

/** A proxy resolves names itself: behind one, only literal addresses are checked here. */
function dispatcherFor(url: URL, { hosts }: Bounds): Dispatcher {
  if (hosts.mayBePrivate(url)) return pools.named(() => new EnvHttpProxyAgent({ proxyTunnel: true }));
  assertPublicLiteral(url);
  return pools.public(() => new EnvHttpProxyAgent({ proxyTunnel: true, connect: { lookup: lookupPublic } }));
}

function contentTypeHeader(form: URLSearchParams | undefined): Record<string, string> {
  return form === undefined ? {} : { "content-type": "application/x-www-form-urlencoded;charset=UTF-8" };
}

function timeoutError(): DOMException {
  return new DOMException("The response did not arrive in time.", "TimeoutError");
}

function responseError(error: unknown, url: URL, bounds: Bounds): Error {
  const { bytes, subject } = bounds;
  if (error instanceof MemoryExceeded) return error;
  if (!(error instanceof BodyTooLarge)) return connectionError(error, url, bounds);
  return new RegistryAnswerInvalid(
    `${subject}: ${url.host} answered with more than ${bytes} bytes, which is the limit.`,
  );
}

/** How to fix a failed connection, by what its code means. */
const fixes: ReadonlyMap<string | null, string> = new Map([
  ["its certificate is not trusted", "; set NODE_EXTRA_CA_CERTS to the file of its CA"],
  [
    "it does not speak TLS",
    "; if plain HTTP is intended, add it to registries.insecureHosts, or to --insecure-registry of the command line",
  ],
]);

/** Describes why no response arrived. Names the host only: a URL may contain secrets. */
function connectionError(error: unknown, url: URL, { seconds, subject }: Bounds): Unreachable | RegistryNotAllowed {
  if (codeOf(error) === addressNotPublic) {
    const fix =
      `add ${url.host} to registries.allowed (--allowed-registry), or to registries.insecureHosts (--insecure-registry) if it uses ` +
      "plain HTTP";
    return new RegistryNotAllowed(
      `${subject}: ${url.host} has no public address, so it is not requested; if it is a registry of yours, ${fix}.`,
    );
  }
  return new Unreachable(`${subject}: ${url.host} ${connectionErrorReason(error, seconds)}.`, { cause: error });
}

function connectionErrorReason(error: unknown, seconds: number): string {
  if (error instanceof DOMException && error.name === "TimeoutError") {
    return `did not answer completely within ${Math.max(0, Math.round(seconds * 10) / 10)} seconds`;
  }
  const code = codeOf(error);
  if (code === null) return "closed the connection before its response was complete";
  const meaning = describeConnectionCode(code);
  return `does not answer (${code}${meaning === null ? "" : `: ${meaning}${fixes.get(meaning) ?? ""}`})`;
}

/** Returns the error code of the system; null for undici's own codes, which only say that the connection broke. */
function codeOf(error: unknown): string | null {
  if (typeof error !== "object" || error === null || !("code" in error) || typeof error.code !== "string") return null;
  return /^(UND_|Z_)/.test(error.code) ? null : error.code;
}
