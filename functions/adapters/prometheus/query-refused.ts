/** The query, or whoever asks, is refused, or the address is not allowed: asking again would not help. */
export class QueryRefused extends Error {
  override readonly name = "QueryRefused";
  /** The HTTP status; null where nothing was asked or the answer is a success of no use. */
  readonly status: number | null;

  constructor(message: string, status: number | null, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}
