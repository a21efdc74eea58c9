/** What a person asks of Pawl: `VERB [ARGUMENT] TOKEN`. The token tells one request from the next. */
export interface PersonRequest {
  readonly verb: string;
  readonly argument: string | null;
  readonly token: string;
}

/** How a request ended. */
export interface RequestAnswer {
  readonly token: string;
  readonly verb: string;
  /** A sentence for people. Begins with `refused: ` if nothing was done. */
  readonly result: string;
}

const refusedPrefix = "refused: ";

/** Formats the result of a request that is refused. */
export function formatRefusal(reason: string): string {
  return `${refusedPrefix}${reason}`;
}

/** Reports whether a request was answered without doing anything. */
export function isRefused({ result }: RequestAnswer): boolean {
  return result.startsWith(refusedPrefix);
}

/** As of a tag. */
const maxWordLength = 128;
const maxLength = 1024;

/** A request that was handled, and came back in place of a later one: it is refused, so that its token is known for longer. */
const repeated = "repeated";

/** How many tokens are remembered, beside that of the last request. */
export const maxEarlierTokens = 20;

/**
 * Parses the annotation; null if it is empty, and if its token was handled last. `handled` are the tokens that were handled, the
 * last one first.
 */
export function parseRequest(text: string | undefined, handled: readonly string[]): PersonRequest | null {
  const trimmed = text?.trim() ?? "";
  const words = trimmed.slice(0, maxLength).split(/\s+/).filter(Boolean);
  const [verb, ...rest] = words;
  if (verb === undefined) return null;
  const token = (rest.at(-1) ?? verb).slice(0, maxWordLength);
  if (token === handled[0]) return null;
  if (handled.includes(token)) return { verb: repeated, argument: null, token };
  const isTooLong = trimmed.length > maxLength || words.some((word) => word.length > maxWordLength);
  if (rest.length === 0 || rest.length > 2 || isTooLong) return { verb: "", argument: null, token };
  return { verb, argument: rest.length === 2 ? (rest[0] as string) : null, token };
}

/** Formats a request for `parseRequest`. */
export function formatRequest(request: PersonRequest): string {
  return `${describeRequest(request)} ${request.token}`;
}

/** Formats a request without its token, for people: `push 1.4.2`. */
export function describeRequest({ verb, argument }: Pick<PersonRequest, "verb" | "argument">): string {
  return argument === null ? verb : `${verb} ${argument}`;
}

/** Returns what an answer says, without the mark of a refusal. */
export function describeAnswer({ result }: RequestAnswer): string {
  return result.startsWith(refusedPrefix) ? result.slice(refusedPrefix.length) : result;
}
