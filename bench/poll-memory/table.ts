import Table from "cli-table3";
import type { Polled } from "./lambda.ts";

export interface Row extends Polled {
  readonly workloads: number;
  readonly poll: "first" | "next";
  readonly registryRequests: number;
  readonly apiRequests: number;
}

const head = ["workloads", "poll", "seconds", "CPU seconds", "peak MiB", "to the registry", "to the API server"];

export function asTable(rows: readonly Row[]): string {
  const style = { head: [], border: [], compact: true };
  const table = new Table({ head, style, colAligns: head.map((_, column) => (column === 1 ? "left" : "right")) });
  for (const row of rows) {
    table.push([
      row.workloads.toLocaleString("en"),
      row.poll,
      row.seconds.toFixed(1),
      row.cpuSeconds.toFixed(1),
      mebibytes(row).toFixed(0),
      row.registryRequests.toLocaleString("en"),
      row.apiRequests.toLocaleString("en"),
    ]);
  }
  return table.toString();
}

/** What each thousand workloads more costs, and what `wanted` workloads take. */
export function slopes(rows: readonly Row[], wanted: number, workloadsPerPart: number): string {
  const of = (poll: Row["poll"]) =>
    rows.filter((row) => row.poll === poll).toSorted((a, b) => a.workloads - b.workloads);
  const lines = (["first", "next"] as const).map((poll) => {
    const [smallest, largest] = [of(poll).at(0), of(poll).at(-1)];
    if (smallest === undefined || largest === undefined || smallest === largest) return "";
    const thousands = (largest.workloads - smallest.workloads) / 1000;
    const slope = (value: (row: Row) => number) => (value(largest) - value(smallest)) / thousands;
    const [megabytes, seconds] = [slope(mebibytes), slope((row) => row.seconds)];
    const cpu = slope((row) => row.cpuSeconds);
    return `${poll} poll, each 1,000 workloads more: ${megabytes.toFixed(1)} MiB, ${seconds.toFixed(2)} s, ${cpu.toFixed(2)} s of CPU`;
  });
  const parts = Math.ceil(wanted / (workloadsPerPart * (7 / 8)));
  const atMost = `${wanted.toLocaleString("en")} workloads are at most ${parts} parts of one poll`;
  return [...lines, `${atMost}, of ${workloadsPerPart.toLocaleString("en")} workloads at most.`].join("\n");
}

function mebibytes({ peakBytes }: Row): number {
  return peakBytes / 1024 / 1024;
}
