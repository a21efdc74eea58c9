/** The result of a query: one number, which may be NaN or infinite; nothing; or several series. */
export type QueryResult =
  | { readonly kind: "value"; readonly value: number }
  | { readonly kind: "none" }
  | { readonly kind: "several"; readonly count: number };
