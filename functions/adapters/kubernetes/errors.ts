import { truncate } from "../../domain/text/summarize-list.ts";
import { Conflict, Forbidden, Throttled, Unreachable, AdmissionDenied } from "../../ports/errors.ts";
import { describeConnectionFailure } from "../connection-failure.ts";
import { ApiException } from "@kubernetes/client-node";
import { ResponseTooLarge } from "./response-body.ts";

/** The CRD of AutoUpdate is not installed: updates cannot be recorded. */
export class NotInstalled extends Error {
  override readonly name = "NotInstalled";
}

/** The cluster denied a write (403): by its roles, or by admission. */
class ForbiddenWrite extends Forbidden {}

/** The parts of a Kubernetes `Status` that Pawl reads. */
interface StatusBody {
  readonly message?: string;
  readonly reason?: string;
  readonly details?: {
    readonly retryAfterSeconds?: number;
    readonly causes?: readonly { readonly reason?: string; readonly message?: string }[];
  };
  readonly metadata?: { readonly continue?: string };
}

/**
 * Converts an error to one that the state machine retries by name; returns other errors unchanged. A 404 becomes `Conflict`:
 * the caller reads the object again.
 */
export function toPortError(error: unknown, what: string, isWrite = false): unknown {
  if (!(error instanceof ApiException)) {
    if (error instanceof ResponseTooLarge) return new Unreachable(`${what}: ${error.message}`, { cause: error });
    if (!isConnectionError(error)) return error;
    const reason = describeConnectionFailure(error);
    return new Unreachable(`${what}: the cluster did not respond (${reason})`, { cause: error });
  }
  const status = statusBody(error);
  const message = `${what}: ${error.code} ${status.message ?? ""}`.trim();
  const isGone = error.code === 404;
  if (isGone || (error.code === 409 && status.reason !== "AlreadyExists"))
    return new Conflict(message, { cause: error });
  if (error.code === 429) return new Throttled(message, retryAfterSeconds(error, status), { cause: error });
  if (error.code === 403 && isWrite) return new ForbiddenWrite(message, { cause: error });
  if (error.code === 401 || error.code === 403) return new Forbidden(message, { cause: error });
  if (error.code >= 500) return new Unreachable(message, { cause: error });
  return error;
}

/** API priority and fairness sends a header, with a plain-text body. */
function retryAfterSeconds({ headers }: ApiException<unknown>, { details }: StatusBody): number | null {
  const inHeader = /^\d+$/.exec(headers["retry-after"] ?? "")?.[0];
  return details?.retryAfterSeconds ?? (inHeader === undefined ? null : Number(inHeader));
}

export function isStatus(error: unknown, code: number): error is ApiException<unknown> {
  return error instanceof ApiException && error.code === code;
}

/** Reports whether the cluster denied an authenticated request (403), as opposed to an unauthenticated one (401). */
export function isForbidden(error: unknown): error is Forbidden {
  return error instanceof Forbidden && isStatus(error.cause, 403);
}

/** Reports whether the cluster does not know the caller (401). */
export function isUnauthenticated(error: unknown): boolean {
  return error instanceof Forbidden && !isForbidden(error);
}

/** Reports whether one request failed, for a reason that other requests need not have. */
export function isFailedRequest(error: unknown): boolean {
  const failures = [Unreachable, Throttled, Conflict, ApiException];
  return isForbidden(error) || failures.some((failure) => error instanceof failure);
}

/** Returns the body of an error response. The client leaves it unparsed, or undefined. */
export function statusBody(error: ApiException<unknown>): StatusBody {
  if (typeof error.body !== "string") return (error.body as StatusBody | undefined) ?? {};
  try {
    return JSON.parse(error.body) as StatusBody;
  } catch {
    return { message: truncate(error.body, 200) };
  }
}

/**
 * Reports whether there was no valid response. undici throws `fetch failed` for refused or reset connections and DNS failures,
 * and `terminated` for a partial response. The client throws its own errors for bodies that no API server sends.
 */
function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (["AbortError", "TimeoutError", "SyntaxError"].includes(error.name)) return true;
  return /^(fetch failed|terminated)$|ObjectSerializer|^Cannot parse content/.test(error.message);
}

/**
 * Matches the message of an API server if a webhook or a policy denies an object, or if a webhook cannot be called. The status
 * code is chosen by the webhook (default 400) or by the policy (422). A denial by RBAC says `cannot patch resource`.
 */
const admissionDenialPattern = /\bdenied request: |failed calling (?:admission )?webhook/i;

/** Returns the message with which admission denied a request, also for a converted error; null for other errors. */
export function admissionDenialReason(error: unknown): string | null {
  const response = error instanceof Error && !(error instanceof ApiException) ? error.cause : error;
  if (!(response instanceof ApiException)) return null;
  const { message = "" } = statusBody(response);
  return admissionDenialPattern.test(message) || isWebhookDenial(message.toLowerCase()) ? message : null;
}

function isWebhookDenial(message: string): boolean {
  const start = message.indexOf("admission webhook ");
  return start !== -1 && message.includes(" denied the request", start + "admission webhook ".length - 1);
}

/** Status codes with which a cluster refuses an object: 400 and 422 (invalid), 413 (too large). */
const refusalCodes = [400, 413, 422];

/**
 * Runs the writes of a workload. Throws `AdmissionDenied` if the cluster refuses one: by admission, a quota, validation or its roles.
 * A read that it denies stays `Forbidden`.
 */
export async function mapRefusal<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const isInvalid = refusalCodes.some((code) => isStatus(error, code));
    if (!isInvalid && !(error instanceof ForbiddenWrite) && admissionDenialReason(error) === null) throw error;
    const message = error instanceof ApiException ? statusBody(error).message : (error as Error).message;
    throw new AdmissionDenied(message ?? String(error), { cause: error });
  }
}

/** Runs a write. Throws `AdmissionDenied` if admission denies this object, which does not affect other objects. */
export async function mapAdmissionDenial<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const reason = admissionDenialReason(error);
    throw reason === null ? error : new AdmissionDenied(reason, { cause: error });
  }
}
