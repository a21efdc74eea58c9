import Table from "cli-table3";
import type { Goal, Outcomes } from "./goals.ts";
import type { Outcome } from "./outcome.ts";

export const head = ["", "requests", "in flight", "connections", "look-up", "whole process", "CPU", "peak memory"];

/** Returns a row for each contender. In parentheses: the ratio to the bare loop. */
export function createRows({ bareLoop, pawl, renovate }: Outcomes): readonly (readonly string[])[] {
  const row = (name: string, outcome: Outcome) => [
    name,
    String(outcome.requests),
    String(outcome.peakInFlight),
    String(outcome.connections),
    seconds(outcome.seconds, bareLoop.seconds),
    seconds(outcome.wholeSeconds, bareLoop.wholeSeconds),
    seconds(outcome.cpuSeconds, bareLoop.cpuSeconds),
    `${Math.round(outcome.peakBytes / 1024 / 1024)} MiB (${ratio(outcome.peakBytes, bareLoop.peakBytes)})`,
  ];
  const own = [row("bare loop", bareLoop), row("Pawl", pawl)];
  return renovate === null ? own : [...own, row("Renovate", renovate)];
}

export function formatMarkdown(rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map((_, column) => (column === 0 ? "---" : "---:"))), ...rows.map(line)].join("\n");
}

export function formatTable(rows: readonly (readonly string[])[]): string {
  const style = { head: [], border: [], compact: true };
  const table = new Table({ head, style, colAligns: head.map((_, column) => (column === 0 ? "left" : "right")) });
  table.push(...rows.map((row) => [...row]));
  return table.toString();
}

export function formatGoals(goals: readonly Goal[]): string {
  return goals.map(({ goal, isMet, actual }) => `${isMet ? "met    " : "not met"} ${goal}: ${actual}`).join("\n");
}

function seconds(value: number, baseline: number): string {
  return `${value.toFixed(2)} s (${ratio(value, baseline)})`;
}

function ratio(value: number, baseline: number): string {
  return (value / baseline).toFixed(2);
}
