import Table from "cli-table3";
import type { Invocation } from "./invocation.ts";
import type { Paper } from "./paper.ts";
import type { Rollout } from "./rollout.ts";
import type { Size } from "./scenario.ts";
import { requestsIn, type Traffic } from "./traffic.ts";

export interface Measured extends Rollout {
  readonly paper: Paper;
  readonly stepNodes: Invocation;
}

/** The first row is the head. */
export type Rows = readonly (readonly string[])[];

/** Behind what was counted, in brackets, what that is to what stands on paper. */
export function rolloutRows(all: readonly Measured[]): Rows {
  const head = [
    "pool",
    "rounds",
    "state transitions",
    "executions",
    "events, at most",
    "requests",
    "a node",
    "received",
    "takes",
  ];
  const rows = all.map(({ size, cost, paper, traffic, seconds }) => {
    const requests = requestsIn(traffic);
    return [
      poolOf(size),
      // Not those of the last step of each execution.
      besidePaper(cost.steps - cost.executions, paper.rounds),
      besidePaper(cost.transitions, paper.transitions),
      besidePaper(cost.executions, paper.executions),
      besidePaper(cost.mostEvents, paper.mostEvents),
      besidePaper(requests, paper.requests),
      (requests / size.nodes).toFixed(0),
      megabytes(traffic.receivedBytes),
      `${(seconds / 3600).toFixed(1)} h`,
    ];
  });
  return [head, ...rows];
}

export function pollRows(all: readonly Measured[]): Rows {
  const head = ["pool", "settled", "received", "compressed", "rolling", "received", "compressed", "StepNodes, at most"];
  const rows = all.map(({ size, quietPoll, pollInFlight, stepNodes }) => [
    poolOf(size),
    ...pollCells(quietPoll),
    ...pollCells(pollInFlight),
    `${Math.round(stepNodes.peakBytes / 1024 / 1024)} of ${stepNodes.memoryMegabytes} MiB`,
  ]);
  return [head, ...rows];
}

/** By verb and resource, those of which there are most first. */
export function requestRows(all: readonly Measured[]): Rows {
  const kinds = [...new Set(all.flatMap(({ traffic }) => Object.keys(traffic.requests)))];
  const most = (kind: string) => Math.max(...all.map(({ traffic }) => traffic.requests[kind] ?? 0));
  const rows = kinds
    .toSorted((a, b) => most(b) - most(a))
    .map((kind) => [kind, ...all.map(({ traffic }) => thousands(traffic.requests[kind] ?? 0))]);
  return [["requests", ...all.map(({ size }) => poolOf(size))], ...rows];
}

export function asMarkdown([head = [], ...rows]: Rows): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map((_, column) => (column === 0 ? "---" : "---:"))), ...rows.map(line)].join("\n");
}

export function asTable([head = [], ...rows]: Rows): string {
  const style = { head: [], border: [], compact: true };
  const colAligns = head.map((_, column) => (column === 0 ? ("left" as const) : ("right" as const)));
  const table = new Table({ head: [...head], style, colAligns });
  table.push(...rows.map((row) => [...row]));
  return table.toString();
}

function poolOf({ nodes, maxUnavailable }: Size): string {
  return `${thousands(nodes)} nodes, ${maxUnavailable} at once`;
}

function pollCells(poll: Traffic): readonly string[] {
  return [thousands(requestsIn(poll)), megabytes(poll.receivedBytes), megabytes(poll.compressedBytes ?? 0)];
}

function besidePaper(counted: number, paper: number): string {
  return `${thousands(counted)} (${(counted / paper).toFixed(2)})`;
}

function thousands(value: number): string {
  return value.toLocaleString("en");
}

function megabytes(bytes: number): string {
  const value = bytes / 1e6;
  return `${value < 10 ? value.toFixed(2) : thousands(Math.round(value))} MB`;
}
