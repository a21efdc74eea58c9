import { RegistryAnswerInvalid } from "../errors.ts";
import { readBounded } from "./read-bounded.ts";
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
  readonly headers: Headers;
  /** Whole where the status is 200, otherwise at most its first 64 KiB. */
  readonly body: Uint8Array;
}

const explanationBytes = 64 * 1024;

/**
 * One request and its whole answer, whatever its status; redirects are answers.
 * Throws `Unreachable` where it does not come in time or breaks off, `RegistryAnswerInvalid` where it exceeds the bound.
 */
export async function send(url: URL, request: Request, bounds: Bounds): Promise<Answer> {
  const signal = AbortSignal.timeout(Math.max(0, Math.ceil(bounds.seconds * 1000)));
  try {
    const response = await fetch(url, {
      method: request.method,
      headers: { "user-agent": "pawl", ...request.headers },
      body: request.form ?? null,
      redirect: "manual",
      signal,
    });
    const { status, headers } = response;
    const { bytes, whole } = await readBounded(response, status === 200 ? bounds.bytes : explanationBytes, signal);
    if (status === 200 && !whole) throw tooLarge(url, bounds);
    return { url, status, headers, body: bytes };
  } catch (error) {
    throw error instanceof RegistryAnswerInvalid ? error : unanswered(error, url, bounds);
  }
}

function tooLarge(url: URL, { bytes, subject }: Bounds): RegistryAnswerInvalid {
  return new RegistryAnswerInvalid(
    `${subject}: ${url.host} answered with more than ${bytes} bytes; the rest was not read.`,
  );
}
