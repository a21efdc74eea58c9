import type { ColdStart } from "./measure.ts";

const head = ["function", "import", "first request", "first call", "memory"];

/** Returns a Markdown table: of the first row in milliseconds of CPU time and MiB, of the others as ratios to it. */
export function formatTable(measured: ReadonlyMap<string, ColdStart>): string {
  const [first, ...others] = [...measured];
  if (first === undefined) return "";
  const [name, base] = first;
  const rows = [
    head,
    ["---", "---:", "---:", "---:", "---:"],
    [name, ms(base.importMs), ms(base.firstRequestMs), ms(base.callMs), `${base.mebibytes.toFixed(0)} MiB`],
    ...others.map(([other, { importMs, firstRequestMs, callMs, mebibytes }]) => [
      other,
      ratio(importMs, base.importMs),
      `${ratio(firstRequestMs, base.firstRequestMs)} (${ms(firstRequestMs)})`,
      ratio(callMs, base.callMs),
      ratio(mebibytes, base.mebibytes),
    ]),
  ];
  return rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function ms(value: number): string {
  return `${value.toFixed(0)} ms`;
}

function ratio(value: number, base: number): string {
  return (value / base).toFixed(2);
}
