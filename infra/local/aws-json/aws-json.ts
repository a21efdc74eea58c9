import { AwsError } from "./aws-error.ts";
import type { RequestFields } from "./request-fields.ts";

/** Maps the request's fields to the response's. A `Date` in the response is sent as epoch seconds. */
type Operation = (fields: RequestFields) => object | Promise<object>;

/** A service of the AWS JSON protocol, with its operations by the name after the dot in `X-Amz-Target`. */
export interface AwsService {
  readonly target: "AWSStepFunctions" | "AWSEvents";
  readonly version: "1.0" | "1.1";
  readonly operations: Readonly<Record<string, Operation>>;
}

export interface AwsResponse {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** Runs the operation that `target` names and converts its result or error into a response. Never throws. */
export async function handleRequest(
  services: readonly AwsService[],
  target: string,
  body: string,
): Promise<AwsResponse> {
  const [prefix, name = ""] = target.split(".");
  const service = services.find((candidate) => candidate.target === prefix);
  const contentType = `application/x-amz-json-${service?.version ?? "1.0"}`;
  try {
    const operation = service && Object.hasOwn(service.operations, name) ? service.operations[name] : undefined;
    if (!operation) throw new AwsError("UnknownOperationException", `unknown operation ${target}`);
    return { status: 200, contentType, body: toJson(await operation(parseFields(body))) };
  } catch (error) {
    return { contentType, ...errorResponse(error) };
  }
}

function errorResponse(error: unknown): { status: number; body: string } {
  if (error instanceof AwsError) {
    return { status: error.status, body: toJson({ __type: error.name, message: error.message }) };
  }
  return { status: 500, body: toJson({ __type: "InternalFailure", message: String(error) }) };
}

function parseFields(body: string): RequestFields {
  let fields: unknown;
  try {
    // The protocol treats a null field as absent.
    fields = JSON.parse(body || "{}", (_key, value: unknown) => value ?? undefined);
  } catch {
    fields = undefined;
  }
  if (typeof fields === "object" && !Array.isArray(fields)) return fields as RequestFields;
  throw new AwsError("SerializationException", "the request body is not a JSON object");
}

function toJson(value: object): string {
  return JSON.stringify(value, function epochSeconds(this: Record<string, unknown>, key: string, text: unknown) {
    const original = this[key];
    return original instanceof Date ? original.getTime() / 1000 : text;
  });
}
