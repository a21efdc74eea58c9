import { Throttled, Unreachable } from "./errors.ts";

/** Of what the SDK classes as throttling, the codes that Step Functions and EventBridge use. */
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

interface SdkFailure {
  readonly name: string;
  readonly message: string;
  readonly code?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** What a failure of an SDK call is called in Pawl: `Throttled`, `Unreachable`, or whatever it was. */
export function awsFailure(failure: unknown, attempted: string): unknown {
  if (!(failure instanceof Error)) return failure;
  const sdkFailure: SdkFailure = failure;
  const message = `${attempted}: ${failure.name}: ${failure.message}`;
  if (isThrottling(sdkFailure)) return new Throttled(message, null, { cause: failure });
  if (isOutage(sdkFailure)) return new Unreachable(message, { cause: failure });
  return failure;
}

/** The same for an error code inside of an answer that was itself a success; null where it is neither. */
export function awsFailureByCode(code: string, message: string): Throttled | Unreachable | null {
  if (throttlingNames.has(code)) return new Throttled(message, null);
  return serverErrorCodes.has(code) ? new Unreachable(message) : null;
}

function isThrottling({ name, $metadata }: SdkFailure): boolean {
  return throttlingNames.has(name) || $metadata?.httpStatusCode === 429;
}

function isOutage({ name, code, $metadata }: SdkFailure): boolean {
  if (($metadata?.httpStatusCode ?? 0) >= 500) return true;
  return name === "TimeoutError" || (typeof code === "string" && networkCodes.has(code));
}
