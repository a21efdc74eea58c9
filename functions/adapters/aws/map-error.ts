import { Throttled, Unreachable } from "../../ports/errors.ts";

/** The throttling error codes of Step Functions and EventBridge. */
const throttlingNames = new Set([
  "Throttling",
  "ThrottlingException",
  "TooManyRequestsException",
  "RequestLimitExceeded",
  "ExecutionLimitExceeded",
  "LimitExceededException",
]);

const networkCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);

const serverErrorCodes = new Set(["InternalFailure", "InternalException", "InternalServerError", "ServiceUnavailable"]);

interface SdkError {
  readonly name: string;
  readonly message: string;
  readonly code?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** Maps an error of an SDK call to `Throttled` or `Unreachable`; returns any other error unchanged. */
export function mapAwsError(error: unknown, operation: string): unknown {
  if (!(error instanceof Error)) return error;
  const sdkError: SdkError = error;
  const message = `${operation}: ${error.name}: ${error.message}`;
  if (isThrottlingError(sdkError)) return new Throttled(message, null, { cause: error });
  if (isServiceError(sdkError)) return new Unreachable(message, { cause: error });
  return error;
}

/** Maps an error code inside a successful response; null for any other code. */
export function mapAwsErrorCode(code: string, message: string): Throttled | Unreachable | null {
  if (throttlingNames.has(code)) return new Throttled(message, null);
  return serverErrorCodes.has(code) ? new Unreachable(message) : null;
}

function isThrottlingError({ name, $metadata }: SdkError): boolean {
  return throttlingNames.has(name) || $metadata?.httpStatusCode === 429;
}

function isServiceError({ name, code, $metadata }: SdkError): boolean {
  if (($metadata?.httpStatusCode ?? 0) >= 500) return true;
  return name === "TimeoutError" || (typeof code === "string" && networkCodes.has(code));
}
