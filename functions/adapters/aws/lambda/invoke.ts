import { Conflict, Forbidden, Throttled, Unreachable } from "../../../ports/errors.ts";
import { mapAwsError } from "../map-error.ts";
import type { InvokeCommandOutput, LambdaClient } from "@aws-sdk/client-lambda";
import pLimit from "p-limit";

export interface RecorderFunction {
  readonly client: LambdaClient;
  /** A name or an ARN, which may end in an alias. */
  readonly functionName: string;
}

/** The first poll records something for every workload, and the function's reserved concurrency is small. */
export const maxConcurrentInvocations = 4;

/**
 * Creates a function that invokes another function, a few invocations at a time, and returns its parsed output. Throws the
 * function's errors by name, and `Throttled` or `Unreachable` of Lambda itself.
 */
export function createInvoker({ client, functionName }: RecorderFunction): (input: object) => Promise<unknown> {
  const limit = pLimit(maxConcurrentInvocations);

  async function invoke(input: object): Promise<InvokeCommandOutput> {
    const { InvokeCommand } = await import("@aws-sdk/client-lambda");
    const command = new InvokeCommand({ FunctionName: functionName, Payload: JSON.stringify(input) });
    return client.send(command).catch((error: unknown) => {
      throw mapAwsError(error, `Invoke ${functionName}`);
    });
  }

  return async (input) => {
    const { FunctionError, Payload } = await limit(() => invoke(input));
    const response: unknown = JSON.parse(Buffer.from(Payload ?? []).toString("utf8") || "null");
    if (FunctionError !== undefined) throw mapFunctionError(functionName, response);
    return response;
  };
}

/** Returns what a recording function did, or the error that it reports. */
export function parseResult(result: unknown, functionName: string): "recorded" | "none" | Error {
  const fields: Readonly<Record<string, unknown>> = typeof result === "object" && result !== null ? { ...result } : {};
  const { kind, reason, error, message } = fields;
  if (kind === "written") return "recorded";
  if (kind === "nothing-new") return "none";
  if (kind === "changed") return new Conflict(String(reason));
  if (kind === "failed") return mapFunctionError(functionName, { errorType: error, errorMessage: message });
  return mapFunctionError(functionName, { errorType: "Unknown", errorMessage: "it returned an unknown result" });
}

/** The recording function failed for a reason that a retry does not fix. */
class RecordCheckFailed extends Error {
  override readonly name = "RecordCheckFailed";
}

/** A function that was terminated: its effects are unknown. */
const terminated = /^(Sandbox\.|Runtime\.)|timed out after/;

/** Maps the error payload of a function, `response`, to the error of the same name. */
export function mapFunctionError(functionName: string, response: unknown): Error {
  const fields: Readonly<Record<string, unknown>> =
    typeof response === "object" && response !== null ? { ...response } : {};
  const errorType = stringOrEmpty(fields["errorType"]);
  const errorMessage = stringOrEmpty(fields["errorMessage"]);
  const message = `${functionName}: ${[errorType, errorMessage].filter((part) => part !== "").join(": ")}`;
  if (errorType === "Conflict") return new Conflict(message);
  if (errorType === "Throttled") return new Throttled(message, null);
  if (errorType === "Unreachable" || terminated.test(errorType) || terminated.test(errorMessage)) {
    return new Unreachable(message);
  }
  return errorType === "Forbidden" ? new Forbidden(message) : new RecordCheckFailed(message);
}

function stringOrEmpty(value: unknown): string {
  return typeof value === "string" ? value : "";
}
