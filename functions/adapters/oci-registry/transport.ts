import { EnvHttpProxyAgent, request as ask } from "undici";
import { RegistryAnswerInvalid } from "../errors.ts";
import { type AnswerHeaders, headersOf } from "./answer-headers.ts";
import { decoded, readBounded, TooLarge } from "./read-bounded.ts";
import { unanswered } from "./unanswered.ts";

export interface Request {
  readonly method: "GET" | "HEAD" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly form?: URLSearchParams;
}

export interface Bounds {
  readonly seconds: number;
  readonly bytes: number;
  /** Begins the messages: the registry and repository on whose account this is asked. */
  readonly subject: string;
}

export interface Answer {
  readonly url: URL;
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** Whole where the status is 200, otherwise at most its first 64 KiB. */
  readonly body: Uint8Array;
}

const explanationBytes = 64 * 1024;

let connections: EnvHttpProxyAgent | null = null;

/**
 * One request and its whole answer, whatever its status; redirects are answers. By way of the proxy that HTTPS_PROXY and
 * HTTP_PROXY name, but for the hosts of NO_PROXY. undici itself and not `fetch` on top of it, which takes half as much
 * memory and processor again.
 * Throws `Unreachable` where it does not come in time or breaks off, `RegistryAnswerInvalid` where it exceeds the bound.
 */
export async function send(url: URL, { method, headers, form }: Request, bounds: Bounds): Promise<Answer> {
  const clock = new AbortController();
  // Ended with the answer, unlike that of AbortSignal.timeout: a poll sends thousands of requests in half a minute.
  const timer = setTimeout(() => clock.abort(tooLate()), Math.max(0, Math.ceil(bounds.seconds * 1000)));
  try {
    const answer = await ask(url, {
      method,
      headers: { "user-agent": "pawl", "accept-encoding": "gzip", ...typeOf(form), ...headers },
      body: form?.toString() ?? null,
      signal: clock.signal,
      dispatcher: (connections ??= new EnvHttpProxyAgent({ proxyTunnel: true })),
    });
    const told = headersOf(answer.headers);
    const isWhole = answer.statusCode === 200;
    const bytes = await readBounded(answer.body, isWhole ? bounds.bytes : explanationBytes, isWhole);
    const encoding = method === "HEAD" || !isWhole ? null : told.get("content-encoding");
    return { url, status: answer.statusCode, headers: told, body: await decoded(bytes, encoding, bounds.bytes) };
  } catch (error) {
    throw error instanceof TooLarge ? tooLarge(url, bounds) : unanswered(clock.signal.reason ?? error, url, bounds);
  } finally {
    clearTimeout(timer);
  }
}

function typeOf(form: URLSearchParams | undefined): Record<string, string> {
  return form === undefined ? {} : { "content-type": "application/x-www-form-urlencoded;charset=UTF-8" };
}

function tooLate(): DOMException {
  return new DOMException("The answer did not come in time.", "TimeoutError");
}

function tooLarge(url: URL, { bytes, subject }: Bounds): RegistryAnswerInvalid {
  return new RegistryAnswerInvalid(
    `${subject}: ${url.host} answered with more than ${bytes} bytes; the rest was not read.`,
  );
}
