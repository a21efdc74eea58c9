import { isConflict } from "../conflict.ts";

/** What was to be written about has changed since it was looked at, or is gone. */
export class Changed extends Error {
  override readonly name = "Conflict";
}

/** What is said of a node that has changed since it was read. Throws an error that is no conflict on. */
export function changedMeanwhile(error: unknown): string {
  if (!isConflict(error)) throw error;
  return "has changed meanwhile";
}
