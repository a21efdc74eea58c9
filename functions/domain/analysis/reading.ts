/** What one query said: one number (which may be NaN or infinite), nothing, or more series than one. */
export type Reading =
  | { readonly kind: "value"; readonly value: number }
  | { readonly kind: "none" }
  | { readonly kind: "several"; readonly count: number };
