import { parseJson } from "../text/parse-json.ts";
import { parseRfc3339, secondsBetween } from "../text/rfc3339.ts";

/** What polls have sent, by what it is about: noted on their Lease, so that it is sent once. */
export type SentNotes = Readonly<Record<string, SentNote>>;

interface SentNote {
  /** What was sent last. */
  readonly done?: string;
  /** What is being sent, and since when. */
  readonly pending?: string;
  readonly at?: string;
}

/** A function that sends something has ended after that. */
const pendingSeconds = 300;

/** Parses the notes. What is malformed was not written by Pawl, and counts as none. */
export function parseSentNotes(text: string | undefined): SentNotes {
  const parsed = parseJson(text ?? "");
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return {};
  const isNote = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
  return Object.fromEntries(Object.entries(parsed as SentNotes).filter(([, value]) => isNote(value)));
}

/** Reports whether something is still to be sent: it was not, and nobody has begun to just now. */
export function isToSend({ done, pending, at = "" }: SentNote, value: string, now: Date): boolean {
  if (done === value) return false;
  const begun = parseRfc3339(at);
  return pending !== value || begun === null || Math.abs(secondsBetween(begun, now)) >= pendingSeconds;
}

const digestPrefix = "digest ";

/** Returns the name of the note about the daily digest of a target. */
export function digestNote(target: string): string {
  return `${digestPrefix}${target}`;
}

/** Returns the day of the last digest of each target. */
export function digestDays(notes: SentNotes): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(notes).flatMap(([name, { done }]) =>
      name.startsWith(digestPrefix) && done !== undefined ? [[name.slice(digestPrefix.length), done]] : [],
    ),
  );
}
