import { styleText } from "node:util";
import Table from "cli-table3";
import { abbreviateDigests } from "../../functions/domain/image/abbreviate-digests.ts";
import { toSingleLine } from "../../functions/domain/text/printable.ts";

export interface Column {
  readonly header: string;
  /** How this column shrinks on a narrow terminal: at words, by cutting it, or, if no other can, within words. Others keep their width. */
  readonly narrow?: "wrap" | "cut" | "break";
  /** On a terminal that is too narrow, the column with the lowest number is left out first. Others stay. */
  readonly dropped?: number;
}

export type Colour = "green" | "yellow" | "red" | "cyan" | "gray";
export type Cell = string | { readonly text: string; readonly colour: Colour };

export interface TableStream extends NodeJS.WritableStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

const gap = 3;
const minWidth = 12;
/** Columns are left out until a text has this width. */
const readableWidth = 28;
const edges = ["top", "bottom", "left", "right", "mid"] as const;
const noBorder = Object.fromEntries(
  edges.flatMap((edge) => [edge, `${edge}-mid`, `${edge}-left`, `${edge}-right`]).map((name) => [name, ""]),
);

/**
 * Renders a table as kubectl does, with a final line break. Colours are used only on a terminal without NO_COLOR. The width
 * is fitted to a terminal; piped output is never cut or wrapped. Digests are always abbreviated.
 */
export function renderTable(
  allColumns: readonly Column[],
  allRows: readonly (readonly Cell[])[],
  { stream }: { readonly stream: TableStream },
): string {
  const shown = shownColumns(allColumns, allRows, roomOf(stream));
  const columns = allColumns.filter((_, index) => shown.has(index));
  const rows = allRows.map((row) => row.filter((_, index) => shown.has(index)));
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
      return { content: paint(cell, stream), wordWrap: narrow !== "cut", wrapOnWordBoundary: narrow !== "break" };
    });
  table.push(line(columns.map(({ header }) => header)), ...rows.map(line));
  return table
    .toString()
    .split("\n")
    .map((text) => `${text.trimEnd()}\n`)
    .join("");
}

function roomOf(stream: TableStream): number {
  return stream.isTTY === true && stream.columns ? stream.columns : Infinity;
}

/** Returns the indexes of the columns that have room beside a readable text. */
function shownColumns(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  room: number,
): ReadonlySet<number> {
  const widths = columns.map(({ header, narrow }, index) => {
    const natural = Math.max(header.length, ...rows.map((row) => cellText(row[index] ?? "").length));
    return narrow === "wrap"
      ? Math.min(natural, readableWidth)
      : narrow === "cut"
        ? Math.min(natural, minWidth)
        : natural;
  });
  const shown = new Set(columns.keys());
  const needed = () => [...shown].reduce((sum, index) => sum + (widths[index] ?? 0) + gap, -gap);
  const order = columns.flatMap(({ dropped }, index) => (dropped === undefined ? [] : [{ dropped, index }]));
  for (const { index } of order.toSorted((one, other) => one.dropped - other.dropped))
    if (needed() > room) shown.delete(index);
  return shown;
}

/** Shrinks the widest shrinkable column until all columns fit, or none can shrink further. */
function fit(natural: readonly number[], columns: readonly Column[], stream: TableStream): readonly number[] {
  const widths = [...natural];
  const room = roomOf(stream) - gap * (columns.length - 1);
  const shrinkable = (isLast: boolean) =>
    widths.map((width, index) => {
      const { narrow } = columns[index] ?? {};
      return narrow !== undefined && (narrow === "break") === isLast && width > minWidth ? width : 0;
    });
  while (widths.reduce((sum, width) => sum + width, 0) > room) {
    const first = shrinkable(false);
    const candidates = Math.max(...first) > 0 ? first : shrinkable(true);
    const widest = Math.max(...candidates);
    if (widest === 0) break;
    widths[candidates.indexOf(widest)] = widest - 1;
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
