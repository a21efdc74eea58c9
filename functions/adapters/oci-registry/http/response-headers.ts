/** Response headers, by case-insensitive name. */
export interface ResponseHeaders {
  /** Returns a header's value, repeated headers joined by commas; null if it is absent. */
  get(name: string): string | null;
}

/** Wraps headers that are keyed by lower-case names. */
export function createResponseHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): ResponseHeaders {
  return {
    get(name) {
      const value = headers[name.toLowerCase()];
      if (value === undefined) return null;
      return typeof value === "string" ? value : value.join(", ");
    },
  };
}
