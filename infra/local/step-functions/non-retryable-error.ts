/** An error that Retry and Catch must ignore. The interpreter reads these two properties. */
export class NonRetryableError extends Error {
  override readonly name: "States.Runtime" | "Stopped";
  readonly isRetryable = false;
  readonly isCatchable = false;

  constructor(name: "States.Runtime" | "Stopped", message: string) {
    super(message);
    this.name = name;
  }
}
