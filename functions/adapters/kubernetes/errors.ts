import { ApiException } from "@kubernetes/client-node";
import { Conflict, Forbidden, Throttled, Unreachable } from "../errors.ts";

/** A Kubernetes `Status` body, as far as Pawl reads it. */
export interface StatusBody {
  readonly message?: string;
  readonly reason?: string;
  readonly details?: { readonly retryAfterSeconds?: number };
  readonly metadata?: { readonly continue?: string };
}

/** The error by the name on which the state machine retries. What has no such name comes back as it is. */
export function namedError(error: unknown, what: string): unknown {
  if (!(error instanceof ApiException)) {
    return isNetworkError(error) ? new Unreachable(`${what}: the cluster does not answer`, { cause: error }) : error;
  }
  const status = statusBody(error);
  const message = `${what}: ${error.code} ${status.message ?? ""}`.trim();
  if (error.code === 409 && status.reason !== "AlreadyExists") return new Conflict(message, { cause: error });
  if (error.code === 429) {
    return new Throttled(message, status.details?.retryAfterSeconds ?? null, { cause: error });
  }
  if (error.code === 401 || error.code === 403) return new Forbidden(message, { cause: error });
  if (error.code >= 500) return new Unreachable(message, { cause: error });
  return error;
}

export function isStatus(error: unknown, code: number): error is ApiException<unknown> {
  return error instanceof ApiException && error.code === code;
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

/** `fetch failed` is how undici reports every refusal, reset, DNS failure and time-out below HTTP. */
function isNetworkError(error: unknown): boolean {
  return error instanceof Error && (error instanceof TypeError || ["AbortError", "TimeoutError"].includes(error.name));
}
