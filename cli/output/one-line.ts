import { stripVTControlCharacters } from "node:util";

/** What others wrote, without line breaks and without what would steer a terminal. */
export function oneLine(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
}
