import { hidden } from "./hidden.ts";

/** The first or last line of a block in PEM, or in a form like it (PGP, SSH2). */
const boundary = /-{4,5} ?(BEGIN|END) [\w ]{1,60}-{4,5}/g;

/**
 * Replaces blocks in PEM. One without an end has been cut off: it reaches to the end of the text, and one without a beginning from its
 * start.
 */
export function redactKeyBlocks(text: string): string {
  const kept: string[] = [];
  let isInside = false;
  let end = 0;
  for (const { 0: line, 1: kind, index } of text.matchAll(boundary)) {
    const isBegin = kind === "BEGIN";
    if (isBegin && !isInside) kept.push(text.slice(end, index), hidden);
    if (!isBegin && !isInside) kept.splice(0, kept.length, hidden);
    isInside = isBegin;
    end = index + line.length;
  }
  return [...kept, isInside ? "" : text.slice(end)].join("");
}
