import { styleText } from "node:util";
import Table from "cli-table3";
import { abbreviateDigests } from "../../functions/domain/image/abbreviate-digests.ts";
import { toSingleLine } from "../../functions/domain/text/printable.ts";

export interface Column {
  readonly header: string;
  /** How this column shrinks on a narrow terminal. Other columns keep their width. */
  readonly narrow?: "wrap" | "cut";
}

export type Colour = "green" | "yellow" | "red" | "cyan" | "gray";
export type Cell = string | { readonly text: string; readonly colour: Colour };

export interface TableStream extends NodeJS.WritableStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

const gap = 3;
const minWidth = 12;
const edges = ["top", "bottom", "left", "right", "mid"] as const;
const noBorder = Object.fromEntries(
  edges.flatMap((edge) => [edge, `${edge}-mid`, `${edge}-left`, `${edge}-right`]).map((name) => [name, ""]),
);

/**
 * Renders a table as kubectl does, with a final line break. Colours are used only on a terminal without NO_COLOR. The width
 * is fitted to a terminal; piped output is never cut or wrapped. Digests are always abbreviated.
 */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  { stream }: { readonly stream: TableStream },
): string {
  const texts = [columns.map(({ header }) => header), ...rows.map((row) => row.map(cellText))];
  const natural = columns.map((_, index) => Math.max(...texts.map((row) => row[index]?.length ?? 0)));
  const table = new Table({
    chars: { ...noBorder, middle: "" },
    style: { "padding-left": 0, "padding-right": gap, head: [], border: [] },
    colWidths: fit(natural, columns, stream).map((width, index) => (width === natural[index] ? null : width + gap)),
  });
  const line = (cells: readonly Cell[]) =>
    columns.map(({ narrow }, index) => {
      const cell = cells[index] ?? "";
      return { content: paint(cell, stream), wordWrap: narrow === "wrap" };
    });
  table.push(line(columns.map(({ header }) => header)), ...rows.map(line));
  return table
    .toString()
    .split("\n")
    .map((text) => `${text.trimEnd()}\n`)
    .join("");
}

/** Shrinks the widest shrinkable column until all columns fit, or none can shrink further. */
function fit(natural: readonly number[], columns: readonly Column[], stream: TableStream): readonly number[] {
  const widths = [...natural];
  const room = stream.isTTY === true && stream.columns ? stream.columns - gap * (columns.length - 1) : Infinity;
  while (widths.reduce((sum, width) => sum + width, 0) > room) {
    const shrinkable = widths.map((width, index) => (columns[index]?.narrow && width > minWidth ? width : 0));
    const widest = Math.max(...shrinkable);
    if (widest === 0) break;
    widths[shrinkable.indexOf(widest)] = widest - 1;
  }
  return widths;
}

/** Cells contain external text. */
export function cellText(cell: Cell): string {
  return abbreviateDigests(toSingleLine(typeof cell === "string" ? cell : cell.text));
}

function paint(cell: Cell, stream: TableStream): string {
  const text = cellText(cell);
  return typeof cell === "string" || stream.isTTY !== true ? text : styleText(cell.colour, text, { stream });
}
