import { stripVTControlCharacters } from "node:util";

const maxLength = 1000;

/** Prints one line to stderr. */
export function printStderr(message: string): void {
  process.stderr.write(`pawl: ${message}\n`);
}

/** Prints an error in one line; with `PAWL_DEBUG=1` completely, with its stack. */
export function printError(error: unknown): void {
  if (process.env["PAWL_DEBUG"] === "1") console.error(error);
  else
    printStderr(toSingleLine(error instanceof Error ? error.message || error.name : String(error)).slice(0, maxLength));
}

/** Prints the JSON document of a command. */
export function printJson(document: unknown): void {
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
}

/** Removes line breaks and terminal control sequences from external text. */
export function toSingleLine(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
}
