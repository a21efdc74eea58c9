import { truncate } from "../../functions/domain/text/summarize-list.ts";
import { inspect } from "node:util";
import { escapeControls, escapeExceptColours, toSingleLine } from "../../functions/domain/text/printable.ts";

const maxLength = 1000;

/** Prints text to stdout. Like the functions below, it escapes what controls a terminal: text of others is part of all output. */
export function printStdout(text: string): void {
  process.stdout.write(process.stdout.isTTY ? escapeExceptColours(text) : escapeControls(text));
}

/** Prints one line to stderr. */
export function printStderr(message: string): void {
  process.stderr.write(`pawl: ${toSingleLine(message)}\n`);
}

/** Prints an error in one line, by its message or `description`; with `PAWL_DEBUG=1` completely, with its stack. */
export function printError(error: unknown, description?: string): void {
  const message = description ?? (error instanceof Error ? error.message || error.name : String(error));
  if (process.env["PAWL_DEBUG"] === "1") process.stderr.write(`${escapeControls(inspect(error))}\n`);
  else printStderr(truncate(message, maxLength));
}

/** Prints the JSON document of a command. */
export function printJson(document: unknown): void {
  process.stdout.write(`${escapeControls(JSON.stringify(document, null, 2))}\n`);
}

/** Prints a JSON document in one line, as a stream of them needs it. */
export function printJsonLine(document: unknown): void {
  process.stdout.write(`${escapeControls(JSON.stringify(document))}\n`);
}
