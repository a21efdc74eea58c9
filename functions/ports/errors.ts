/** No answer in time, a broken connection, or a 5xx: the state of the other side is unknown. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}

/** Too many requests. `retryAfterSeconds` is the delay that the other side asks for; null if it names none. */
export class Throttled extends Error {
  override readonly name = "Throttled";
  readonly retryAfterSeconds: number | null;

  constructor(message: string, retryAfterSeconds: number | null, options?: ErrorOptions) {
    super(message, options);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The object has changed since it was read, or was deleted. Nothing was written. */
export class Conflict extends Error {
  override readonly name = "Conflict";
}

/** The caller is unknown or not allowed (401, 403). */
export class Forbidden extends Error {
  override readonly name = "Forbidden";
}

/**
 * The cluster refuses this write: a webhook or a policy denies it, or a webhook does not answer. For a workload also: a quota, its
 * validation, or missing rights.
 */
export class AdmissionDenied extends Error {
  override readonly name = "AdmissionDenied";
}

/** The registry rejects the credentials, or requires some (401, 403). */
export class RegistryUnauthorized extends Error {
  override readonly name = "RegistryUnauthorized";
}

/** The registry has no such repository, tag or digest, or hides it from the caller. */
export class RepositoryNotFound extends Error {
  override readonly name = "RepositoryNotFound";
}

/** What the tag or digest names is no image: a Helm chart or a signature, for example. */
export class NotAnImage extends Error {
  override readonly name = "NotAnImage";
}

/** An invalid answer: wrong schema, too large, a page missing, or a redirect to a host that must not get credentials. */
export class RegistryAnswerInvalid extends Error {
  override readonly name = "RegistryAnswerInvalid";
}

/** The deployment does not allow requests to this repository, host or address. */
export class RegistryNotAllowed extends Error {
  override readonly name = "RegistryNotAllowed";
}

/** The API server drops a field that Pawl has written: a CustomResourceDefinition is of an older version. The message says which. */
export class CrdOutdated extends Error {
  override readonly name = "CrdOutdated";
}

/** A canary cannot be created at the moment; the message says why. */
export class CanaryUnsupported extends Error {
  override readonly name = "CanaryUnsupported";
}

/** The secret does not exist, is empty, or may not be read. Names the secret, and never its value. */
export class SecretUnreadable extends Error {
  override readonly name = "SecretUnreadable";
}

/** EKS returns no endpoint: the cluster is being created or deleted, or the role lacks permission. */
export class ClusterNotDescribed extends Error {
  override readonly name = "ClusterNotDescribed";
}

/** An image would be written that nobody has verified. */
export class ImageNotVerified extends Error {
  override readonly name = "ImageNotVerified";
}

/** The query or its credentials are rejected, or the address is not allowed: a retry would not help. */
export class QueryRejected extends Error {
  override readonly name = "QueryRejected";
  /** The HTTP status; null if no request was sent. */
  readonly status: number | null;

  constructor(message: string, status: number | null, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

/** Reports whether an error is a write conflict (HTTP 409). Re-read the object and decide again. */
export function isConflict(error: unknown): error is Error {
  return error instanceof Error && error.name === "Conflict";
}
