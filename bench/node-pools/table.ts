import Table from "cli-table3";
import type { Invocation } from "./invocation.ts";
import type { PredictedCost } from "./formula.ts";
import type { Rollout } from "./rollout.ts";
import type { Size } from "./scenario.ts";
import { countRequests, type Traffic } from "./traffic.ts";

export interface Measurement extends Rollout {
  readonly predicted: PredictedCost;
  readonly reconcileNodes: Invocation;
}

/** The first row is the header. */
export type Rows = readonly (readonly string[])[];

/** In parentheses: the ratio of the measurement to the prediction. */
export function rolloutRows(measurements: readonly Measurement[]): Rows {
  const head = [
    "pool",
    "rounds",
    "state transitions",
    "executions",
    "events, maximum",
    "requests",
    "requests per node",
    "received",
    "time",
  ];
  const rows = measurements.map(({ size, cost, predicted, traffic, seconds }) => {
    const requests = countRequests(traffic);
    return [
      describePool(size),
      // The last step of each execution is no round.
      withRatio(cost.reconciles - cost.executions, predicted.rounds),
      withRatio(cost.transitions, predicted.transitions),
      withRatio(cost.executions, predicted.executions),
      withRatio(cost.maxEvents, predicted.maxEvents),
      withRatio(requests, predicted.requests),
      (requests / size.nodes).toFixed(0),
      megabytes(traffic.receivedBytes),
      `${(seconds / 3600).toFixed(1)} h`,
    ];
  });
  return [head, ...rows];
}

export function pollRows(measurements: readonly Measurement[]): Rows {
  const head = [
    "pool",
    "completed",
    "received",
    "compressed",
    "in progress",
    "received",
    "compressed",
    "ReconcileNodes, maximum",
  ];
  const rows = measurements.map(({ size, pollAfterRollout, pollDuringRollout, reconcileNodes }) => [
    describePool(size),
    ...pollCells(pollAfterRollout),
    ...pollCells(pollDuringRollout),
    `${Math.round(reconcileNodes.peakBytes / 1024 / 1024)} of ${reconcileNodes.memoryMegabytes} MiB`,
  ]);
  return [head, ...rows];
}

/** Returns a row for each verb and resource, in descending order of requests. */
export function requestRows(measurements: readonly Measurement[]): Rows {
  const kinds = [...new Set(measurements.flatMap(({ traffic }) => Object.keys(traffic.requests)))];
  const maxCount = (kind: string) => Math.max(...measurements.map(({ traffic }) => traffic.requests[kind] ?? 0));
  const rows = kinds
    .toSorted((a, b) => maxCount(b) - maxCount(a))
    .map((kind) => [kind, ...measurements.map(({ traffic }) => thousands(traffic.requests[kind] ?? 0))]);
  return [["requests", ...measurements.map(({ size }) => describePool(size))], ...rows];
}

export function formatMarkdown([head = [], ...rows]: Rows): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map((_, column) => (column === 0 ? "---" : "---:"))), ...rows.map(line)].join("\n");
}

export function formatTable([head = [], ...rows]: Rows): string {
  const style = { head: [], border: [], compact: true };
  const colAligns = head.map((_, column) => (column === 0 ? ("left" as const) : ("right" as const)));
  const table = new Table({ head: [...head], style, colAligns });
  table.push(...rows.map((row) => [...row]));
  return table.toString();
}

function describePool({ nodes, maxUnavailable }: Size): string {
  return `${thousands(nodes)} nodes, ${maxUnavailable} at a time`;
}

function pollCells(poll: Traffic): readonly string[] {
  return [thousands(countRequests(poll)), megabytes(poll.receivedBytes), megabytes(poll.compressedBytes ?? 0)];
}

function withRatio(actual: number, predicted: number): string {
  return `${thousands(actual)} (${(actual / predicted).toFixed(2)})`;
}

function thousands(value: number): string {
  return value.toLocaleString("en");
}

function megabytes(bytes: number): string {
  const value = bytes / 1e6;
  return `${value < 10 ? value.toFixed(2) : thousands(Math.round(value))} MB`;
}
