import { oneLine } from "./one-line.ts";

const longest = 1000;

/** One line for people, on stderr. */
export function say(message: string): void {
  process.stderr.write(`pawl: ${message}\n`);
}

/** The error in one line; with `PAWL_DEBUG=1` all of it, with where it came from. */
export function sayFailure(error: unknown): void {
  if (process.env["PAWL_DEBUG"] === "1") console.error(error);
  else say(oneLine(error instanceof Error ? error.message || error.name : String(error)).slice(0, longest));
}
