import { AwsFault } from "./aws-fault.ts";
import type { Fields } from "./fields.ts";

/** One call of a service: takes the request's fields, gives the answer's. A `Date` in it goes out as epoch seconds. */
type Operation = (fields: Fields) => object | Promise<object>;

/** A service of the protocol AWS JSON: its operations by the name that stands behind the dot in `X-Amz-Target`. */
export interface AwsService {
  readonly target: "AWSStepFunctions" | "AWSEvents";
  readonly version: "1.0" | "1.1";
  readonly operations: Readonly<Record<string, Operation>>;
}

export interface Reply {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** Runs the operation that `target` names, and turns whatever comes of it into an answer. Never throws. */
export async function answer(services: readonly AwsService[], target: string, body: string): Promise<Reply> {
  const [prefix, name = ""] = target.split(".");
  const service = services.find((candidate) => candidate.target === prefix);
  const contentType = `application/x-amz-json-${service?.version ?? "1.0"}`;
  try {
    const operation = service && Object.hasOwn(service.operations, name) ? service.operations[name] : undefined;
    if (!operation) throw new AwsFault("UnknownOperationException", `no operation ${target}`);
    return { status: 200, contentType, body: toJson(await operation(fieldsIn(body))) };
  } catch (error) {
    return { contentType, ...refusal(error) };
  }
}

function refusal(error: unknown): { status: number; body: string } {
  if (error instanceof AwsFault) {
    return { status: error.status, body: toJson({ __type: error.name, message: error.message }) };
  }
  return { status: 500, body: toJson({ __type: "InternalFailure", message: String(error) }) };
}

function fieldsIn(body: string): Fields {
  let fields: unknown;
  try {
    fields = JSON.parse(body || "{}");
  } catch {
    fields = null;
  }
  if (typeof fields === "object" && fields !== null && !Array.isArray(fields)) return fields as Fields;
  throw new AwsFault("SerializationException", "the request is no JSON object");
}

function toJson(value: object): string {
  return JSON.stringify(value, function epochSeconds(this: Record<string, unknown>, key: string, text: unknown) {
    const original = this[key];
    return original instanceof Date ? original.getTime() / 1000 : text;
  });
}
