import type { Resource } from "./resources.ts";

interface Cause {
  readonly reason: string;
  readonly message: string;
  readonly field?: string;
}

interface Details {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly Cause[];
}

/** The body by which an API server says what became of a request that has no object to answer with. */
export interface Status {
  readonly kind: "Status";
  readonly apiVersion: "v1";
  readonly metadata: Record<string, never>;
  readonly status: "Success" | "Failure";
  readonly message?: string;
  readonly reason?: string;
  readonly details?: Details;
  readonly code?: number;
}

/** A request refused: answered with its `body`. Wording and details are those of kube-apiserver 1.20. */
export class RequestRefused extends Error {
  override readonly name = "RequestRefused";
  readonly body: Status & { readonly code: number };

  constructor(code: number, reason: string | undefined, message: string, details?: Details) {
    super(message);
    const failure = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message } as const;
    this.body = { ...failure, ...(reason && { reason }), ...(details && { details }), code };
  }
}

/** `kind` is, as upstream has it, the plural in most answers and the kind in those of validation. */
function about(resource: Resource, name: string, kind = resource.plural): Details {
  return { ...(name && { name }), ...(resource.group && { group: resource.group }), kind };
}

function qualified(resource: Resource, kind: string): string {
  return resource.group ? `${kind}.${resource.group}` : kind;
}

export function notFound(resource: Resource, name: string): RequestRefused {
  const message = `${qualified(resource, resource.plural)} "${name}" not found`;
  return new RequestRefused(404, "NotFound", message, about(resource, name));
}

export function alreadyExists(resource: Resource, name: string): RequestRefused {
  const message = `${qualified(resource, resource.plural)} "${name}" already exists`;
  return new RequestRefused(409, "AlreadyExists", message, about(resource, name));
}

export function conflict(
  resource: Resource,
  name: string,
  why = "the object has been modified; please apply your changes to the latest version and try again",
): RequestRefused {
  const message = `Operation cannot be fulfilled on ${qualified(resource, resource.plural)} "${name}": ${why}`;
  return new RequestRefused(409, "Conflict", message, about(resource, name));
}

export function forbidden(resource: Resource, name: string, why: string, cause: Cause): RequestRefused {
  const message = `${qualified(resource, resource.plural)} "${name}" is forbidden: ${why}`;
  return new RequestRefused(403, "Forbidden", message, { ...about(resource, name), causes: [cause] });
}

export interface Flaw {
  readonly field: string;
  readonly reason: "FieldValueRequired" | "FieldValueInvalid" | "FieldValueForbidden";
  readonly message: string;
}

export function invalid(resource: Resource, name: string, flaws: readonly Flaw[]): RequestRefused {
  const said = flaws.map((flaw) => `${flaw.field}: ${flaw.message}`);
  const list = said.length === 1 ? said[0] : `[${said.join(", ")}]`;
  const message = `${qualified(resource, resource.kind)} "${name}" is invalid: ${list}`;
  return new RequestRefused(422, "Invalid", message, { ...about(resource, name, resource.kind), causes: flaws });
}

export function badRequest(message: string): RequestRefused {
  return new RequestRefused(400, "BadRequest", message);
}

export function patchDoesNotApply(): RequestRefused {
  return new RequestRefused(422, "Invalid", "the server rejected our request due to an error in our request", {});
}

export function unknownResource(): RequestRefused {
  return new RequestRefused(404, "NotFound", "the server could not find the requested resource", {});
}

export function methodNotAllowed(): RequestRefused {
  const message = "the server does not allow this method on the requested resource";
  return new RequestRefused(405, "MethodNotAllowed", message, {});
}

export function notAcceptable(): RequestRefused {
  return new RequestRefused(406, "NotAcceptable", "406: Not Acceptable", {});
}

export function unsupportedMediaType(accepted: readonly string[]): RequestRefused {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(", ")}`;
  return new RequestRefused(415, "UnsupportedMediaType", message);
}

/** `why` is what the budget itself says. */
export function disruptionRefused(why: string): RequestRefused {
  const message = "Cannot evict pod as it would violate the pod's disruption budget.";
  return new RequestRefused(429, "TooManyRequests", message, {
    causes: [{ reason: "DisruptionBudget", message: why }],
  });
}

export function severalBudgets(): RequestRefused {
  const message = "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.";
  return new RequestRefused(500, undefined, message);
}

export function expired(message: string): RequestRefused {
  return new RequestRefused(410, "Expired", message);
}
