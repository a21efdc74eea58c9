/** An error of the AWS JSON protocol. `name` is sent as `__type`; the SDK selects its error class by it. */
export class AwsError extends Error {
  override readonly name: string;
  readonly status: number;

  constructor(name: string, message: string, status = 400) {
    super(message);
    this.name = name;
    this.status = status;
  }
}

/** Returns the error for a field that violates a constraint of the service's model. */
export function validationError(field: string, value: string | undefined, constraint: string): AwsError {
  const shown = value === undefined ? "null" : `'${value}'`;
  return new AwsError(
    "ValidationException",
    `1 validation error detected: Value ${shown} at '${field}' failed to satisfy constraint: ${constraint}`,
  );
}
