import { escapeControls } from "../../../functions/domain/text/printable.ts";

/** Formats JSON in which control characters, and those that change the direction of text, are visible escapes. */
export function toSafeJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === "string" ? escapeControls(part) : part));
}
