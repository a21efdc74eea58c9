import type { ExternalCall, Service } from "./external-call.ts";

/** What happens to a call. "lost" means that it takes effect, and its sender never learns that. */
export const faults = [
  "429",
  "500",
  "503",
  "401",
  "403",
  "409",
  "denial",
  "gone",
  "reset",
  "reset-lost",
  "hang-lost",
  "platform",
  "killed-before",
  "killed-after",
] as const;

export type Fault = (typeof faults)[number];

/** A response in place of the server's. */
export interface FaultResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: object;
}

/** Only writes of objects pass admission. */
export function isApplicable(fault: Fault, { service, isWrite, name }: ExternalCall): boolean {
  if (fault === "denial") return service === "kubernetes" && isWrite && !name.includes(": POST events");
  return true;
}

/** The errors with which `lambda:invoke` of Step Functions fails. */
export const invocationErrors: Readonly<Partial<Record<Fault, string>>> = {
  "429": "Lambda.TooManyRequestsException",
  "500": "Lambda.ServiceException",
  "503": "Lambda.AWSLambdaException",
  "401": "Lambda.KMSAccessDeniedException",
  "403": "Lambda.EC2AccessDeniedException",
  "409": "Lambda.ResourceConflictException",
  gone: "Lambda.ResourceNotFoundException",
  reset: "Lambda.SdkClientException",
  "reset-lost": "Lambda.SdkClientException",
  platform: "Lambda.ResourceNotReadyException",
};

/** The error of a function whose process ends while it runs. */
export const crashError = "Runtime.ExitError";

type StatusFault = "429" | "500" | "503" | "401" | "403" | "409" | "denial" | "gone";

const statusReasons: Readonly<Record<StatusFault, readonly [status: number, reason: string, message: string]>> = {
  "429": [429, "TooManyRequests", "the server has received too many requests"],
  "500": [500, "InternalError", "etcdserver: request timed out"],
  "503": [503, "ServiceUnavailable", "apiserver is shutting down"],
  "401": [401, "Unauthorized", "Unauthorized"],
  "403": [403, "Forbidden", 'User "pawl" cannot do this'],
  "409": [409, "Conflict", "the object has been modified; please apply your changes to the latest version"],
  denial: [400, "BadRequest", 'admission webhook "freeze.example.com" denied the request: no changes now'],
  gone: [404, "NotFound", "not found"],
};

const awsErrors: Readonly<Record<StatusFault, readonly [status: number, type: string]>> = {
  "429": [400, "ThrottlingException"],
  "500": [500, "InternalFailure"],
  "503": [503, "ServiceUnavailable"],
  "401": [400, "UnrecognizedClientException"],
  "403": [400, "AccessDeniedException"],
  "409": [400, "ConflictException"],
  denial: [400, "ValidationException"],
  gone: [400, "ResourceNotFoundException"],
};

/** Returns the response of a service; null for a fault that is not a response. */
export function faultResponse(fault: Fault, service: Service): FaultResponse | null {
  if (!(fault in statusReasons)) return null;
  const [status, reason, message] = statusReasons[fault as StatusFault];
  if (service === "aws") {
    const [code, type] = awsErrors[fault as StatusFault];
    return { status: code, headers: { "x-amzn-errortype": type }, body: { __type: type, message } };
  }
  if (service === "kubernetes")
    return { status, body: { kind: "Status", apiVersion: "v1", status: "Failure", reason, message, code: status } };
  return { status, body: service === "github" ? { message } : { errors: [{ code: reason, message }] } };
}
