/** A text that somebody wrote and that cannot be read: a value, because it is an ordinary thing for a text to be. */
export interface Invalid {
  readonly kind: "invalid";
  /** A sentence for its owner: what is wrong and how to mend it. */
  readonly reason: string;
  /** The piece of the text that is at fault. */
  readonly part: string;
}

/** An `Invalid` in which `reason` follows the quoted part: `"60" is above 59`. */
export function invalid(part: string, reason: string): Invalid {
  return { kind: "invalid", part, reason: `"${part}" ${reason}` };
}
