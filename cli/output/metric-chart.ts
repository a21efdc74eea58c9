import { renderTable, type TableStream } from "./table.ts";

const blocks = "▁▂▃▄▅▆▇█";
const missing = "·";
const maxWidth = 60;

/** A measurement; `value` is null if there was none. */
interface Measured {
  readonly metric: string;
  readonly value: number | null;
}

const columns = [
  { header: "METRIC" },
  { header: "MEASUREMENTS" },
  { header: "LAST" },
  { header: "MIN" },
  { header: "MAX" },
] as const;

/** Renders a line for each metric: its last values as blocks between its lowest and its highest one, oldest first. */
export function metricChart(measurements: readonly Measured[], stream: TableStream): string {
  const byMetric = Map.groupBy(measurements, ({ metric }) => metric);
  const rows = [...byMetric].map(([metric, measured]) => {
    const values = measured.slice(-maxWidth).map(({ value }) => value);
    const known = values.filter((value) => value !== null);
    return [metric, sparkline(values), ...[known.at(-1), Math.min(...known), Math.max(...known)].map(formatValue)];
  });
  return renderTable(columns, rows, { stream });
}

/** Returns a block for each value, and a dot for none. Equal values are the lowest block. */
export function sparkline(values: readonly (number | null)[]): string {
  const known = values.filter((value) => value !== null);
  const [min, max] = [Math.min(...known), Math.max(...known)];
  // Halves: the difference of two finite numbers may be infinite.
  const range = max / 2 - min / 2;
  const level = (value: number) =>
    range === 0 ? 0 : Math.round(((value / 2 - min / 2) / range) * (blocks.length - 1));
  return values.map((value) => (value === null ? missing : blocks[level(value)])).join("");
}

/** Four digits are enough to compare. */
function formatValue(value: number | undefined): string {
  return value === undefined || !Number.isFinite(value) ? "-" : String(Number(value.toPrecision(4)));
}
