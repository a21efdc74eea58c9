import { abbreviateDigests } from "../../functions/domain/image/abbreviate-digests.ts";
import { toSingleLine } from "../../functions/domain/text/printable.ts";

/** Like kubectl's columns while it watches: later rows cannot widen them. In characters; the last column has none. */
const widths = [36, 16, 20, 20, 8];

/** Returns one line of a table that is printed row by row. */
export function alignRow(cells: readonly string[]): string {
  const texts = cells.map((cell) => abbreviateDigests(toSingleLine(cell)));
  return `${texts
    .map((text, index) => text.padEnd(widths[index] ?? 0))
    .join("   ")
    .trimEnd()}\n`;
}
