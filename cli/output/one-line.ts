import { stripVTControlCharacters } from "node:util";

/** What others wrote, without line breaks and without what would steer a terminal. */
export function oneLine(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is taken away
  return stripVTControlCharacters(text)
    .replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, " ")
    .trim();
}
