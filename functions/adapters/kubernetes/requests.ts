import {
  type ConfigurationOptions,
  Observable,
  type RequestContext,
  type ResponseContext,
} from "@kubernetes/client-node";
import { Agent } from "undici";
import { Unreachable } from "../../ports/errors.ts";
import { createConnectionPool } from "../connection-pool.ts";
import { boundBody, maxResponseBytes } from "./response-body.ts";
import { admissionDenialReason, isStatus, statusBody, toPortError } from "./errors.ts";

const requestTimeoutMs = 15_000;
export const fieldManager = "pawl";

/** Returns the options of one request: headers, limits of its time and its response, and the shared connection pool. */
export type RequestOptions = (headers?: Readonly<Record<string, string>>, maxBytes?: number) => ConfigurationOptions;

type ResponseHeaders = Readonly<Record<string, string>>;

/**
 * Creates request options that share one connection pool. By default the client opens a TLS connection per request. The
 * dispatcher of the first request, which has the cluster's CA and certificates, is reused.
 */
export function createRequestOptions(onResponse: (headers: ResponseHeaders) => void = () => undefined): RequestOptions {
  const pool = createConnectionPool();
  return (headers: Readonly<Record<string, string>> = {}, maxBytes = maxResponseBytes): ConfigurationOptions => ({
    middlewareMergeStrategy: "append",
    middleware: [
      {
        pre(context: RequestContext) {
          for (const [name, value] of Object.entries(headers)) context.setHeaderParam(name, value);
          const dispatcher = context.getDispatcher(); // a new one for each request, and none without a CA or certificate
          context.setDispatcher(pool(() => dispatcher ?? new Agent()));
          context.setSignal(AbortSignal.timeout(requestTimeoutMs));
          return toObservable(context);
        },
        post(context: ResponseContext) {
          onResponse(context.headers);
          return toObservable(boundBody(context, maxBytes));
        },
      },
    ],
  });
}

/** Returns the response, or null for a 404. Throws errors by the names that the state machine retries on. */
export async function nullIfNotFound<T>(what: string, request: () => Promise<T>): Promise<T | null> {
  try {
    return assertKubernetesObject(await request(), what);
  } catch (error) {
    if (isStatus(error, 404)) return null;
    throw toPortError(error, what);
  }
}

/** Returns the response. Throws errors by the names that the state machine retries on. */
export async function mapErrors<T>(what: string, request: () => Promise<T>, isWrite = false): Promise<T> {
  try {
    return assertKubernetesObject(await request(), what);
  } catch (error) {
    throw toPortError(error, what, isWrite);
  }
}

/** Returns the response if it is a Kubernetes object. Throws `Unreachable` if not: a proxy may answer instead of the cluster. */
export function assertKubernetesObject<T>(answer: T, what: string): T {
  if (typeof answer === "object" && answer !== null && "metadata" in answer && answer.metadata) return answer;
  throw new Unreachable(`${what}: the response is not from an API server`);
}

function toObservable<T>(value: T): Observable<T> {
  return new Observable(Promise.resolve(value));
}

/**
 * Runs a delete. Ignores that the object does not exist (404), or is another one or another version than in the preconditions (409). Any
 * other 409 is a `Conflict`.
 */
export async function ignoreNotFoundOnDelete(what: string, request: () => Promise<unknown>): Promise<void> {
  try {
    await request();
  } catch (error) {
    const isGone =
      isStatus(error, 404) || (isStatus(error, 409) && /precondition/i.test(statusBody(error).message ?? ""));
    if (!isGone || admissionDenialReason(error) !== null) throw toPortError(error, what, true);
  }
}

/** Decodes the data of a Secret from base64. */
export function decodeSecretData(data: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const decode = (value: string) => Buffer.from(value, "base64").toString("utf8");
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, decode(value)]));
}
