import { ApiException } from "@kubernetes/client-node";
import { Conflict, Forbidden, Throttled, Unreachable } from "../errors.ts";

/** A Kubernetes `Status` body, as far as Pawl reads it. */
export interface StatusBody {
  readonly message?: string;
  readonly reason?: string;
  readonly details?: {
    readonly retryAfterSeconds?: number;
    readonly causes?: readonly { readonly reason?: string; readonly message?: string }[];
  };
  readonly metadata?: { readonly continue?: string };
}

/**
 * The error by the name on which the state machine retries. What has no such name comes back as it is. What was to be
 * written and is gone (404) is a `Conflict`: reading it again tells.
 */
export function namedError(error: unknown, what: string): unknown {
  if (!(error instanceof ApiException)) {
    return isNoAnswer(error) ? new Unreachable(`${what}: the cluster does not answer`, { cause: error }) : error;
  }
  const status = statusBody(error);
  const message = `${what}: ${error.code} ${status.message ?? ""}`.trim();
  const isGone = error.code === 404;
  if (isGone || (error.code === 409 && status.reason !== "AlreadyExists"))
    return new Conflict(message, { cause: error });
  if (error.code === 429) return new Throttled(message, retryAfterSeconds(error, status), { cause: error });
  if (error.code === 401 || error.code === 403) return new Forbidden(message, { cause: error });
  if (error.code >= 500) return new Unreachable(message, { cause: error });
  return error;
}

/** Priority and fairness says it in a header, over a body of plain text. */
function retryAfterSeconds({ headers }: ApiException<unknown>, { details }: StatusBody): number | null {
  const inHeader = /^\d+$/.exec(headers["retry-after"] ?? "")?.[0];
  return details?.retryAfterSeconds ?? (inHeader === undefined ? null : Number(inHeader));
}

export function isStatus(error: unknown, code: number): error is ApiException<unknown> {
  return error instanceof ApiException && error.code === code;
}

/** The cluster knows who asks and does not allow it (403), which is not the same as not knowing who asks (401). */
export function isRefusal(error: unknown): error is Forbidden {
  return error instanceof Forbidden && isStatus(error.cause, 403);
}

/** The body of a refusal; the client leaves it as unparsed text, or as nothing at all. */
export function statusBody(error: ApiException<unknown>): StatusBody {
  if (typeof error.body !== "string") return (error.body as StatusBody | undefined) ?? {};
  try {
    return JSON.parse(error.body) as StatusBody;
  } catch {
    return { message: error.body.slice(0, 200) };
  }
}

/**
 * Below HTTP, undici says `fetch failed` of every refusal, reset and DNS failure, and `terminated` of half an answer; the
 * client's own errors are of bodies that it cannot parse, which are no API server's.
 */
function isNoAnswer(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (["AbortError", "TimeoutError", "SyntaxError"].includes(error.name)) return true;
  return /^(fetch failed|terminated)$|ObjectSerializer|^Cannot parse content/.test(error.message);
}
