import Table from "cli-table3";
import type { Goal, Outcomes } from "./goals.ts";
import type { Outcome } from "./outcome.ts";

export const head = ["", "requests", "in flight", "connections", "look-up", "whole process", "CPU", "peak memory"];

/** A row for each contender; behind each figure, in brackets, what it is to that of the bare loop. */
export function rowsOf({ bareLoop, pawl, renovate }: Outcomes): readonly (readonly string[])[] {
  const row = (name: string, one: Outcome) => [
    name,
    String(one.requests),
    String(one.peakInFlight),
    String(one.connections),
    seconds(one.seconds, bareLoop.seconds),
    seconds(one.wholeSeconds, bareLoop.wholeSeconds),
    seconds(one.cpuSeconds, bareLoop.cpuSeconds),
    `${Math.round(one.peakBytes / 1024 / 1024)} MiB (${ratio(one.peakBytes, bareLoop.peakBytes)})`,
  ];
  const own = [row("bare loop", bareLoop), row("Pawl", pawl)];
  return renovate === null ? own : [...own, row("Renovate", renovate)];
}

export function asMarkdown(rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map((_, column) => (column === 0 ? "---" : "---:"))), ...rows.map(line)].join("\n");
}

export function asTable(rows: readonly (readonly string[])[]): string {
  const style = { head: [], border: [], compact: true };
  const table = new Table({ head, style, colAligns: head.map((_, column) => (column === 0 ? "left" : "right")) });
  table.push(...rows.map((row) => [...row]));
  return table.toString();
}

export function asLines(goals: readonly Goal[]): string {
  return goals.map(({ goal, isMet, reached }) => `${isMet ? "met    " : "not met"} ${goal}: ${reached}`).join("\n");
}

function seconds(value: number, floor: number): string {
  return `${value.toFixed(2)} s (${ratio(value, floor)})`;
}

function ratio(value: number, floor: number): string {
  return (value / floor).toFixed(2);
}
