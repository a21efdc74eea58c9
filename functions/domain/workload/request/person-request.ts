/** What a person asks of Pawl: `VERB [ARGUMENT] TOKEN`. The token tells one request from the next. */
export interface PersonRequest {
  readonly verb: string;
  readonly argument: string | null;
  readonly token: string;
  /** Who asks, as the request says: an admission policy compares it with the user. Absent if it does not say, or was written for another object. */
  readonly by?: string;
  /** Why they ask. */
  readonly reason?: string;
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
/** Of a reason, and of a name. */
export const maxReasonLength = 256;

/** A request that was handled, and came back in place of a later one: it is refused, so that its token is known for longer. */
const repeated = "repeated";

/** How many tokens are remembered, beside that of the last request. */
export const maxEarlierTokens = 20;

/**
 * Parses the annotation; null if it is empty, and if its token was handled last. `handled` are the tokens that were handled, the
 * last one first. `recordUID` is that of the object: in a copy of it, nobody has asked.
 */
export function parseRequest(
  text: string | undefined,
  handled: readonly string[],
  recordUID?: string,
): PersonRequest | null {
  const [first, ...lines] = (text ?? "").trim().split("\n") as [string, ...string[]];
  const request = parseWords(first, handled);
  return request === null ? null : { ...request, ...parseLines(lines, recordUID) };
}

/** Reads who asks and why from the lines after the first. */
function parseLines(lines: readonly string[], recordUID: string | undefined): Pick<PersonRequest, "by" | "reason"> {
  const valueOf = (field: string) => lines.find((line) => line.startsWith(`${field} `))?.slice(field.length + 1) ?? "";
  const [by, reason] = [valueOf("user"), valueOf("message").slice(0, maxReasonLength)];
  const isNamed = by !== "" && by.length <= maxReasonLength && valueOf("record") === recordUID;
  return { ...(isNamed ? { by } : {}), ...(reason === "" ? {} : { reason }) };
}

function parseWords(trimmed: string, handled: readonly string[]): PersonRequest | null {
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

/** Formats a request for `parseRequest`, as lines. An admission policy compares the line `user`, and `recordUID` is that of the object. */
export function formatRequest({ by, reason, ...request }: PersonRequest, recordUID?: string): string {
  return [
    `${describeRequest(request)} ${request.token}`,
    ...(by === undefined || recordUID === undefined ? [] : [`user ${by}`, `record ${recordUID}`]),
    ...(reason === undefined ? [] : [`message ${toMessage(reason)}`]),
  ].join("\n");
}

/** Returns a text of a person as one line. */
export function toMessage(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ").slice(0, maxReasonLength);
}

/** Formats a request without its token, for people: `push 1.4.2`. */
export function describeRequest({ verb, argument }: Pick<PersonRequest, "verb" | "argument">): string {
  return argument === null ? verb : `${verb} ${argument}`;
}

/** Returns what an answer says, without the mark of a refusal. */
export function describeAnswer({ result }: RequestAnswer): string {
  return result.startsWith(refusedPrefix) ? result.slice(refusedPrefix.length) : result;
}
