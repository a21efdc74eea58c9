import { isConflict } from "../conflict.ts";

/** What was to be written about has changed since it was looked at, or is gone. */
export class Changed extends Error {
  override readonly name = "Conflict";
}

/** Whether admission refused what was to be written: that object cannot be written so, and others may. */
export function isRefused(error: unknown): error is Error {
  return error instanceof Error && error.name === "Refused";
}

/** What is said of a node that is left as it is, because it has changed since it was read or is not to be written so. Throws other errors on. */
export function whyLeft(error: unknown): string {
  if (isRefused(error)) return `the cluster refuses it: ${error.message}`;
  if (!isConflict(error)) throw error;
  return "has changed meanwhile";
}
