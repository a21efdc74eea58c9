import type { ParseError } from "../../functions/domain/text/parse-error.ts";
import { InvalidInput } from "../exit-codes.ts";
import { text as readText } from "node:stream/consumers";

/** Returns a parsed value. Throws `InvalidInput` with the name of its option or argument. */
export function validOrThrow<Read extends object>(source: string, read: Read | ParseError): Exclude<Read, ParseError> {
  if ("kind" in read && read.kind === "invalid") throw new InvalidInput(`${source}: ${read.reason}`);
  return read as Exclude<Read, ParseError>;
}

/** Parses options with several values: repeated, or separated by commas. */
export function addItems(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...splitItems(text)];
}

function splitItems(text: string): readonly string[] {
  return text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

/** Reads a stream to its end and returns its trimmed lines, without empty ones. */
export async function readLines(stream: NodeJS.ReadStream): Promise<readonly string[]> {
  return (await readText(stream))
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
