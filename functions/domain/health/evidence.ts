import { redact } from "../text/redact.ts";
import { truncate } from "../text/summarize-list.ts";
import { toSingleLine } from "../text/printable.ts";
import type { Cause } from "./cause.ts";

/** A pod that is not ready, and why. */
export interface Evidence {
  readonly pod: string;
  readonly cause: Cause;
}

/** In characters, of what is written to a status, an Event or a notification. */
const maxLength = 256;
const maxMessageLength = 120;

/**
 * Describes pods that are not ready by the first that blames the version, or else by the first:
 * "2 pods failing: web-7f9c-x2 exit 1 `no DB_URL` (4 restarts)". null if there is none.
 */
export function describeEvidence(evidence: readonly Evidence[]): string | null {
  const failing = evidence.filter(({ cause }) => cause.blames === "version");
  const [first] = failing.length > 0 ? failing : evidence;
  if (first === undefined) return null;
  const count = Math.max(failing.length, 1);
  const state = failing.length > 0 ? "failing" : "waiting";
  const total = failing.length > 0 ? count : evidence.length;
  return truncate(
    `${total} ${total === 1 ? "pod" : "pods"} ${state}: ${first.pod} ${describeCause(first.cause)}`,
    maxLength,
  );
}

/** Adds the evidence, if there is any, to the reason of a verdict. */
export function withEvidence(reason: string, evidence: readonly Evidence[]): string {
  const description = describeEvidence(evidence);
  return description === null ? reason : `${reason}; ${description}`;
}

function describeCause({ reason, container, exitCode, message, restarts }: Cause): string {
  const what = exitCode === null ? reason : reason === "Exit" ? `exit ${exitCode}` : `${reason}, exit ${exitCode}`;
  const text = truncate(redact(toSingleLine(message)), maxMessageLength);
  const parts = [
    container === null ? what : `(${container}) ${what}`,
    text === "" ? "" : `\`${text}\``,
    restarts === 0 ? "" : `(${restarts} ${restarts === 1 ? "restart" : "restarts"})`,
  ];
  return parts.filter((part) => part !== "").join(" ");
}
