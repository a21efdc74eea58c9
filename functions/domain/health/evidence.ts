import { countNoun } from "../text/count-noun.ts";
import { redactLines } from "../text/redact.ts";
import { truncate } from "../text/summarize-list.ts";
import type { Cause } from "./cause.ts";

/** A pod that is not ready, and why. */
export interface Evidence {
  readonly pod: string;
  readonly cause: Cause;
}

/** In characters, of a reason with its evidence: what a history keeps. */
const maxLength = 256;
/** Leaves room for the reason. */
const maxEvidenceLength = 200;
/** The same of pods that are not those of the update: their evidence follows that of the update. */
const maxOtherLength = 100;
/** Of the name of a pod that a controller creates, of a container, and of a reason of Kubernetes. */
const maxNameLength = 63;
const maxTermLength = 40;
/** A shorter rest of a message says nothing. */
const minMessageLength = 10;

/** What the reason says of the pods that are meant. */
interface About {
  /** How many pods there should be, if that is known. */
  readonly total?: number | undefined;
  /** Whose they are, if not those of the update. */
  readonly lead?: string;
}

/**
 * Adds the evidence, if there is any, to the reason of a verdict. Both have at most 256 characters: a longer reason is truncated, so that
 * the evidence is not. A reason that has evidence of other pods already keeps more of it.
 */
export function withEvidence(reason: string, evidence: readonly Evidence[], { total, lead }: About = {}): string {
  const description = describeEvidence(evidence, total, lead === undefined ? maxEvidenceLength : maxOtherLength);
  if (description === null) return reason;
  return withAddition(reason, lead === undefined ? description : `${lead}: ${description}`);
}

/**
 * Adds a clause to the reason of a verdict. If both have more than 256 characters, the longest clause of the reason is shortened: that is
 * the message of a pod, and not what was concluded from it.
 */
export function withAddition(reason: string, addition: string): string {
  const room = Math.max(1, maxLength - addition.length - "; ".length);
  return truncate(`${reason.length > room ? shorten(reason, room) : reason}; ${addition}`, maxLength);
}

function shorten(reason: string, room: number): string {
  const clauses = reason.split("; ");
  const longest = clauses.reduce((longer, clause) => (clause.length > longer.length ? clause : longer));
  const length = Math.max(1, longest.length - (reason.length - room));
  const cut = truncate(longest, length);
  // A message that is cut still ends where it ends.
  const isOpen = cut.split("`").length % 2 === 0;
  const kept = isOpen ? `${truncate(longest, Math.max(1, length - 1))}\`` : cut;
  return truncate(clauses.with(clauses.indexOf(longest), kept).join("; "), room);
}

const written = /; (\d+ (?:of \d+ )?pods? (?:failing|waiting): [^;`]*(?:`[^`]*`[^;`]*)?)/;

/** Returns the evidence in the reason of an update that ended; null if it has none. */
export function evidenceIn(reason: string): string | null {
  return written.exec(reason)?.[1] ?? null;
}

/**
 * Describes pods that are not ready by the first that blames the version, or else by the first:
 * "2 of 3 pods failing: web-7f9c-x2 (web) exit 1 `no DB_URL` (4 restarts)". null if there is none.
 */
export function describeEvidence(
  evidence: readonly Evidence[],
  total?: number,
  maxLengthOfIt = maxEvidenceLength,
): string | null {
  const failing = evidence.filter(({ cause }) => cause.blames === "version");
  const state = failing.length > 0 ? "failing" : "waiting";
  const meant = failing.length > 0 ? failing : evidence;
  const [first] = meant;
  if (first === undefined) return null;
  const { reason, container, exitCode, message, restarts } = first.cause;
  const term = foreign(reason, maxTermLength);
  const what = exitCode === null ? term : term === "Exit" ? `exit ${exitCode}` : `${term}, exit ${exitCode}`;
  const head = [
    `${countPods(meant.length, total)} ${state}: ${truncate(first.pod, maxNameLength)}`,
    ...(container === null ? [] : [`(${truncate(container, maxNameLength)})`]),
    what,
  ].join(" ");
  const tail = restarts === 0 ? "" : ` (${countNoun(restarts, "restart")})`;
  const left = maxLengthOfIt - head.length - tail.length - " ``".length;
  const text = left < minMessageLength ? "" : foreign(message, left);
  return truncate(`${head}${text === "" ? "" : ` \`${text}\``}${tail}`, maxLengthOfIt);
}

/** Returns text of a container or a runtime in one line; a backtick in it would look like its end. */
function foreign(text: string, max: number): string {
  return truncate(redactLines(text).join(" ").replaceAll("`", "'"), max);
}

/** More pods than there should be exist in a rollout with `maxSurge`. */
function countPods(count: number, total = 0): string {
  return count > total ? countNoun(count, "pod") : `${count} of ${countNoun(total, "pod")}`;
}
