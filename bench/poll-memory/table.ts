import Table from "cli-table3";
import type { PollInvocation } from "./lambda.ts";

export interface Row extends PollInvocation {
  readonly workloads: number;
  readonly poll: "first" | "next";
  readonly registryRequests: number;
  readonly apiRequests: number;
  /** How many of them write. */
  readonly apiWrites: number;
}

const head = ["workloads", "poll", "time", "CPU", "peak memory", "registry requests", "API server requests", "writes"];

export function formatTable(rows: readonly Row[]): string {
  const style = { head: [], border: [], compact: true };
  const table = new Table({ head, style, colAligns: head.map((_, column) => (column === 1 ? "left" : "right")) });
  for (const row of rows) {
    table.push([
      row.workloads.toLocaleString("en"),
      row.poll,
      `${row.seconds.toFixed(1)} s`,
      `${row.cpuSeconds.toFixed(1)} s`,
      `${mebibytes(row).toFixed(0)} MiB`,
      row.registryRequests.toLocaleString("en"),
      row.apiRequests.toLocaleString("en"),
      row.apiWrites.toLocaleString("en"),
    ]);
  }
  return table.toString();
}

/** Returns the cost of each further 1,000 workloads, and the number of parts of a poll of `total` workloads. */
export function formatSlopes(rows: readonly Row[], total: number, workloadsPerPart: number): string {
  const rowsOf = (poll: Row["poll"]) =>
    rows.filter((row) => row.poll === poll).toSorted((a, b) => a.workloads - b.workloads);
  const lines = (["first", "next"] as const).map((poll) => {
    const [smallest, largest] = [rowsOf(poll).at(0), rowsOf(poll).at(-1)];
    if (smallest === undefined || largest === undefined || smallest === largest) return "";
    const thousands = (largest.workloads - smallest.workloads) / 1000;
    const slope = (value: (row: Row) => number) => (value(largest) - value(smallest)) / thousands;
    const [memory, seconds] = [slope(mebibytes), slope((row) => row.seconds)];
    const cpu = slope((row) => row.cpuSeconds);
    return `${poll} poll, each further 1,000 workloads: ${memory.toFixed(1)} MiB, ${seconds.toFixed(2)} s, ${cpu.toFixed(2)} s CPU`;
  });
  const parts = Math.ceil(total / (workloadsPerPart * (7 / 8)));
  const partCount = `${total.toLocaleString("en")} workloads: at most ${parts} parts of one poll`;
  return [...lines, `${partCount}, each of at most ${workloadsPerPart.toLocaleString("en")} workloads`].join("\n");
}

function mebibytes({ peakBytes }: Row): number {
  return peakBytes / 1024 / 1024;
}
