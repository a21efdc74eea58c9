import {
  type ConfigurationOptions,
  Observable,
  type RequestContext,
  type ResponseContext,
} from "@kubernetes/client-node";
import { Unreachable } from "../errors.ts";
import { isStatus, namedError } from "./errors.ts";
import { admissionRefusal } from "./refusal.ts";

const requestTimeoutMs = 15_000;
export const fieldManager = "pawl";

/** What one request carries besides its own: headers, a time limit, a shared connection. */
export type Options = (headers?: Readonly<Record<string, string>>) => ConfigurationOptions;

/**
 * Headers for one request, on one connection pool for all of them: as it comes, the client opens a new TLS connection
 * for every request. The first request's dispatcher, which carries the cluster's CA and certificates, serves the rest.
 */
export function requestOptions(): Options {
  let shared: ReturnType<RequestContext["getDispatcher"]>;
  return (headers: Readonly<Record<string, string>> = {}): ConfigurationOptions => ({
    middlewareMergeStrategy: "append",
    middleware: [
      {
        pre(context: RequestContext) {
          for (const [name, value] of Object.entries(headers)) context.setHeaderParam(name, value);
          shared ??= context.getDispatcher();
          if (shared !== undefined) context.setDispatcher(shared);
          context.setSignal(AbortSignal.timeout(requestTimeoutMs));
          return observed(context);
        },
        post: (context: ResponseContext) => observed(context),
      },
    ],
  });
}

/** The answer under the names that the machine retries on; null for a 404. */
export async function orNull<T>(what: string, request: () => Promise<T>): Promise<T | null> {
  try {
    return answered(await request(), what);
  } catch (error) {
    if (isStatus(error, 404)) return null;
    throw namedError(error, what);
  }
}

/** The answer, or an error under one of those names. */
export async function named<T>(what: string, request: () => Promise<T>): Promise<T> {
  try {
    return answered(await request(), what);
  } catch (error) {
    throw namedError(error, what);
  }
}

/** A text in the place of an object, or nothing, is what some proxy says and not the cluster. */
export function answered<T>(answer: T, what: string): T {
  if (typeof answer === "object" && answer !== null && "metadata" in answer && answer.metadata) return answer;
  throw new Unreachable(`${what}: the answer is not an API server's`);
}

function observed<T>(value: T): Observable<T> {
  return new Observable(Promise.resolve(value));
}

/** Deletes. Gone already (404), or another by its name (409), is as good. */
export async function deleted(what: string, request: () => Promise<unknown>): Promise<void> {
  try {
    await request();
  } catch (error) {
    const isAway = isStatus(error, 404) || isStatus(error, 409);
    if (!isAway || admissionRefusal(error) !== null) throw namedError(error, what);
  }
}

/** The data of a Secret, which the API server gives in base64. */
export function decoded(data: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const decode = (value: string) => Buffer.from(value, "base64").toString("utf8");
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, decode(value)]));
}
