/** An invalid text of a user: a value, because it is an ordinary outcome of parsing. */
export interface ParseError {
  readonly kind: "invalid";
  /** A sentence for its owner: what is wrong and how to fix it. */
  readonly reason: string;
  /** The part of the text that is invalid. */
  readonly part: string;
}

/** Creates a `ParseError` whose `reason` follows the quoted part: `"60" is above 59`. */
export function invalid(part: string, reason: string): ParseError {
  return { kind: "invalid", part, reason: `"${part}" ${reason}` };
}
