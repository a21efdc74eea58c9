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

/** The body of a response without an object: the API's `Status`. */
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

/** An error response with its `body`. Texts and details are those of kube-apiserver 1.20. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly body: Status & { readonly code: number };

  constructor(code: number, reason: string | undefined, message: string, details?: Details) {
    super(message);
    const failure = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message } as const;
    this.body = { ...failure, ...(reason && { reason }), ...(details && { details }), code };
  }
}

/** Returns the details of an error. As in Kubernetes, `kind` is usually the plural, but the kind in validation errors. */
function detailsOf(resource: Resource, name: string, kind = resource.plural): Details {
  return { ...(name && { name }), ...(resource.group && { group: resource.group }), kind };
}

function qualifiedName(resource: Resource, kind: string): string {
  return resource.group ? `${kind}.${resource.group}` : kind;
}

export function notFound(resource: Resource, name: string): ApiError {
  const message = `${qualifiedName(resource, resource.plural)} "${name}" not found`;
  return new ApiError(404, "NotFound", message, detailsOf(resource, name));
}

export function alreadyExists(resource: Resource, name: string): ApiError {
  const message = `${qualifiedName(resource, resource.plural)} "${name}" already exists`;
  return new ApiError(409, "AlreadyExists", message, detailsOf(resource, name));
}

export function conflict(
  resource: Resource,
  name: string,
  reason = "the object has been modified; please apply your changes to the latest version and try again",
): ApiError {
  const message = `Operation cannot be fulfilled on ${qualifiedName(resource, resource.plural)} "${name}": ${reason}`;
  return new ApiError(409, "Conflict", message, detailsOf(resource, name));
}

export function forbidden(resource: Resource, name: string, reason: string, cause: Cause): ApiError {
  const message = `${qualifiedName(resource, resource.plural)} "${name}" is forbidden: ${reason}`;
  return new ApiError(403, "Forbidden", message, { ...detailsOf(resource, name), causes: [cause] });
}

export interface FieldError {
  readonly field: string;
  readonly reason: "FieldValueRequired" | "FieldValueInvalid" | "FieldValueForbidden";
  readonly message: string;
}

export function invalidObject(resource: Resource, name: string, errors: readonly FieldError[]): ApiError {
  const messages = errors.map(({ field, message }) => `${field}: ${message}`);
  const list = messages.length === 1 ? messages[0] : `[${messages.join(", ")}]`;
  const message = `${qualifiedName(resource, resource.kind)} "${name}" is invalid: ${list}`;
  return new ApiError(422, "Invalid", message, { ...detailsOf(resource, name, resource.kind), causes: errors });
}

export function badRequest(message: string): ApiError {
  return new ApiError(400, "BadRequest", message);
}

export function unprocessablePatch(): ApiError {
  return new ApiError(422, "Invalid", "the server rejected our request due to an error in our request", {});
}

export function unknownResource(): ApiError {
  return new ApiError(404, "NotFound", "the server could not find the requested resource", {});
}

export function methodNotAllowed(): ApiError {
  const message = "the server does not allow this method on the requested resource";
  return new ApiError(405, "MethodNotAllowed", message, {});
}

export function notAcceptable(): ApiError {
  return new ApiError(406, "NotAcceptable", "406: Not Acceptable", {});
}

export function unsupportedMediaType(accepted: readonly string[]): ApiError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(", ")}`;
  return new ApiError(415, "UnsupportedMediaType", message);
}

/** Returns the error of a refused eviction; `reason` is the budget's message. */
export function disruptionBudgetViolated(reason: string): ApiError {
  const message = "Cannot evict pod as it would violate the pod's disruption budget.";
  return new ApiError(429, "TooManyRequests", message, { causes: [{ reason: "DisruptionBudget", message: reason }] });
}

export function multipleBudgets(): ApiError {
  const message = "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.";
  return new ApiError(500, undefined, message);
}

export function expired(message: string): ApiError {
  return new ApiError(410, "Expired", message);
}
