/** No answer in time, a broken connection, or a 5xx: nothing is known of what was asked. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}

/** Asked too often. `retryAfterSeconds` is what the other side said about when to come back, null where it said nothing. */
export class Throttled extends Error {
  override readonly name = "Throttled";
  readonly retryAfterSeconds: number | null;

  constructor(message: string, retryAfterSeconds: number | null, options?: ErrorOptions) {
    super(message, options);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The object has changed since it was read; nothing was written. */
export class Conflict extends Error {
  override readonly name = "Conflict";
}

/** The cluster knows who asks and does not allow it, or does not know who asks (401, 403). */
export class Forbidden extends Error {
  override readonly name = "Forbidden";
}

/** Admission does not let this object be written so: a webhook or a policy of the cluster, or one that cannot be asked. */
export class Refused extends Error {
  override readonly name = "Refused";
}

/** The registry wants other credentials than it was given, or any at all (401, 403). */
export class RegistryRefused extends Error {
  override readonly name = "RegistryRefused";
}

/** The registry has no such repository, tag or digest, or does not show it to whoever asks. */
export class RepositoryNotFound extends Error {
  override readonly name = "RepositoryNotFound";
}

/** An answer that is no answer: wrong shape, too large, a page missing, or leading where credentials may not go. */
export class RegistryAnswerInvalid extends Error {
  override readonly name = "RegistryAnswerInvalid";
}

/** No canary can be made as things stand; the message says what is in the way. */
export class CanaryRefused extends Error {
  override readonly name = "CanaryRefused";
}
