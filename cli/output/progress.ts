import { toSingleLine } from "../../functions/domain/text/printable.ts";
import type { measurementsOf, Progress } from "../workloads/progress.ts";
import { formatAge } from "./format-age.ts";
import { type Cell, type Colour, renderTable, type TableStream } from "./table.ts";

const columns = [
  { header: "AT" },
  { header: "METRIC" },
  { header: "RESULT" },
  { header: "VALUE" },
  { header: "NOTE", narrow: "wrap" },
] as const;

const shown = 5;

/** Formats how far an update has come, as lines. */
export function describeProgress({ step, left, waitsFor }: Progress): string {
  const time = left === null ? "not limited" : `${formatAge(left.seconds)}, until the ${left.until}`;
  const lines = [`Step:       ${step}`, `Time left:  ${time}`];
  return [...lines, ...(waitsFor === null ? [] : [`Waits for:  ${toSingleLine(waitsFor)}`]), ""].join("\n");
}

/** Renders the last measurements, newest last. */
export function measurementTable(measurements: ReturnType<typeof measurementsOf>, stream: TableStream): string {
  const rows = measurements.slice(-shown).map(({ at, metric, verdict, value, note }): Cell[] => {
    return [at, metric, { text: verdict, colour: colours[verdict] }, String(value ?? "-"), note ?? ""];
  });
  return renderTable(columns, rows, { stream });
}

const colours = { pass: "green", fail: "red", inconclusive: "yellow", error: "yellow" } as const satisfies Record<
  ReturnType<typeof measurementsOf>[number]["verdict"],
  Colour
>;
