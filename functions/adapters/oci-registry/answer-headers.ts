/** The headers of an answer that was read, by their names in any case. */
export interface AnswerHeaders {
  /** One that came several times is joined by commas; null where it did not come. */
  get(name: string): string | null;
}

/** `headers` by lower-case names. */
export function headersOf(headers: Readonly<Record<string, string | readonly string[] | undefined>>): AnswerHeaders {
  return {
    get(name) {
      const value = headers[name.toLowerCase()];
      if (value === undefined) return null;
      return typeof value === "string" ? value : value.join(", ");
    },
  };
}
