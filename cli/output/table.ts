import { styleText } from "node:util";
import Table from "cli-table3";
import { shortenDigests } from "../../functions/domain/short-digests.ts";
import { oneLine } from "./one-line.ts";

export interface Column {
  readonly header: string;
  /** On a terminal that is too narrow this column gives way: it is broken into lines, or cut. Others keep their width. */
  readonly narrow?: "wrap" | "cut";
}

export type Colour = "green" | "yellow" | "red" | "cyan" | "gray";
export type Cell = string | { readonly text: string; readonly colour: Colour };

export interface TableStream extends NodeJS.WritableStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

const gap = 3;
const narrowest = 12;
const edges = ["top", "bottom", "left", "right", "mid"] as const;
const noBorder = Object.fromEntries(
  edges.flatMap((edge) => [edge, `${edge}-mid`, `${edge}-left`, `${edge}-right`]).map((name) => [name, ""]),
);

/**
 * A table as kubectl prints it, ending in a line break. Colour only on a terminal and without NO_COLOR; fitted to the
 * width of the terminal, and to nothing where the stream is none: what is piped is never cut or broken into lines. Only
 * digests are always shortened.
 */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  { stream }: { readonly stream: TableStream },
): string {
  const texts = [columns.map(({ header }) => header), ...rows.map((row) => row.map(textOf))];
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

/** Takes what is missing from the widest of the columns that may give way, until all fit or none can give more. */
function fit(natural: readonly number[], columns: readonly Column[], stream: TableStream): readonly number[] {
  const widths = [...natural];
  const room = stream.isTTY === true && stream.columns ? stream.columns - gap * (columns.length - 1) : Infinity;
  while (widths.reduce((sum, width) => sum + width, 0) > room) {
    const yielding = widths.map((width, index) => (columns[index]?.narrow && width > narrowest ? width : 0));
    const widest = Math.max(...yielding);
    if (widest === 0) break;
    widths[yielding.indexOf(widest)] = widest - 1;
  }
  return widths;
}

/** Much of it was written by others. */
function textOf(cell: Cell): string {
  return shortenDigests(oneLine(typeof cell === "string" ? cell : cell.text));
}

function paint(cell: Cell, stream: TableStream): string {
  const text = textOf(cell);
  return typeof cell === "string" || stream.isTTY !== true ? text : styleText(cell.colour, text, { stream });
}
