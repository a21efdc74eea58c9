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
