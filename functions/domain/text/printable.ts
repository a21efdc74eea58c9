/** A complete sequence of a terminal: CSI (`ESC [ 31 m`), a string such as OSC (`ESC ] 0;title BEL`), or two characters. */
const sequence =
  // oxlint-disable-next-line no-control-regex -- these are what it looks for
  /(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]|\u001B[\]PX^_][^\u0007\u001B\u009C]*(?:\u0007|\u001B\\|\u009C)|\u001B[ -~]/g;

/** Control characters C0 and C1, line separators, and those that change the direction of text, so that it reads as another. */
const unsafe = /[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu;

/** The colours that Pawl itself writes. */
// oxlint-disable-next-line no-control-regex -- as above
const colour = /(\u001B\[(?:0|1|2|22|3\d|9[0-7])m)/;

/**
 * Escapes what controls a terminal as `\u009b`, which is also its escape in JSON; line breaks stay. All output passes here:
 * annotations, tags and messages of registries and clusters are foreign text.
 */
export function escapeControls(text: string): string {
  return text.replaceAll(unsafe, (character) => (character === "\n" ? character : escapeOf(character)));
}

/** Escapes like `escapeControls`, and keeps colours, for a terminal. */
export function escapeExceptColours(text: string): string {
  return text
    .split(colour)
    .map((part, index) => (index % 2 === 1 ? part : escapeControls(part)))
    .join("");
}

/** Turns foreign text into one line: without sequences of a terminal, with spaces for line breaks and control characters. */
export function toSingleLine(text: string): string {
  return escapeControls(text.replaceAll(sequence, "").replaceAll(/[\s\p{Cc}]+/gu, " ")).trim();
}

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
