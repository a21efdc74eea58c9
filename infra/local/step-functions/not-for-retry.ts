/** An error that no Retry and no Catch may take. The interpreter asks an error itself, by these two properties. */
export class NotForRetry extends Error {
  override readonly name: "States.Runtime" | "Stopped";
  readonly isRetryable = false;
  readonly isCatchable = false;

  constructor(name: "States.Runtime" | "Stopped", message: string) {
    super(message);
    this.name = name;
  }
}
