/** A refusal as AWS words it: `name` goes over the wire as `__type`, and the SDK makes its error class of it. */
export class AwsFault extends Error {
  override readonly name: string;
  readonly status: number;

  constructor(name: string, message: string, status = 400) {
    super(message);
    this.name = name;
    this.status = status;
  }
}

/** The fault of a field that breaks a constraint of the service's model. */
export function invalidField(field: string, value: string | number | undefined, constraint: string): AwsFault {
  const shown = value === undefined ? "null" : `'${value}'`;
  return new AwsFault(
    "ValidationException",
    `1 validation error detected: Value ${shown} at '${field}' failed to satisfy constraint: ${constraint}`,
  );
}
