import { toSingleLine } from "./printable.ts";
import { redactCommandPasswords } from "./redact/command-passwords.ts";
import { redactKeyBlocks } from "./redact/key-blocks.ts";
import { redactNamedValues } from "./redact/named-values.ts";
import { redactRandomText } from "./redact/random-text.ts";
import { redactTokens } from "./redact/token-formats.ts";
import { redactUrlPasswords } from "./redact/url-passwords.ts";

/** Invisible characters, which also change the direction of text, and halves of surrogate pairs. */
const invisible = /[\p{Cf}\p{Cs}]/gu;

/**
 * Replaces parts of a text that look like secrets: passwords of URLs, tokens, values named like passwords, blocks in PEM and long base64.
 * It knows forms, not secrets: a word that is a password and stands without its name stays.
 */
export function redact(text: string): string {
  const unnamed = redactCommandPasswords(redactTokens(redactUrlPasswords(redactKeyBlocks(text))));
  return redactRandomText(redactNamedValues(unnamed));
}

/** Returns the lines of text that a container wrote, for people: redacted, without control characters, and without empty lines. */
export function redactLines(text: string): readonly string[] {
  const lines = text.split("\n").map((line) => toSingleLine(line.replaceAll(invisible, "")));
  return redact(lines.join("\n"))
    .split("\n")
    .filter((line) => line.trim() !== "");
}
