/** The result of a query: one number, which may be NaN or infinite; nothing, and why; or several series. */
export type QueryResult =
  | { readonly kind: "value"; readonly value: number }
  | { readonly kind: "none"; readonly reason?: string }
  | { readonly kind: "several"; readonly count: number };

/** A measurement that is not finished: it is neither a result nor an error. `job` identifies it, `waitSeconds` is until its next check. */
export interface PendingResult {
  readonly kind: "pending";
  /** The uid of the Job; null while it must not begin. */
  readonly job: string | null;
  readonly waitSeconds: number;
}
