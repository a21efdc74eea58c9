import { inFlightCell, messageCell } from "../workloads/status-cells.ts";
import type { WorkloadStatus } from "../workloads/status.ts";
import { rollbacksCell, versionCell } from "./cells.ts";
import { stateCell } from "./state-cell.ts";
import { type Cell, type Column, renderTable, type TableStream } from "./table.ts";

const columns: readonly Column[] = [
  { header: "WORKLOAD", narrow: "break" },
  { header: "STATE" },
  { header: "CURRENT", dropped: 2 },
  { header: "AVAILABLE", dropped: 1 },
  { header: "MESSAGE", narrow: "wrap" },
];
const wideColumns: readonly Column[] = [
  ...columns.map(({ dropped: _dropped, ...column }) => column),
  { header: "TRACKS" },
  { header: "LAST HEALTHY" },
  { header: "ROLLBACKS" },
  { header: "IN FLIGHT", narrow: "wrap" },
  { header: "LAST UPDATE" },
  { header: "FAILED VERSIONS", narrow: "cut" },
];

/** Renders the table of `pawl status`. */
export function statusTable(
  statuses: readonly WorkloadStatus[],
  isWide: boolean,
  stream: TableStream = process.stdout,
): string {
  const rows = statuses.map((status) => (isWide ? [...toRow(status), ...wideCells(status)] : toRow(status)));
  return renderTable(isWide ? wideColumns : columns, rows, { stream });
}

function toRow(status: WorkloadStatus): readonly Cell[] {
  return [
    status.workload,
    stateCell(status.state),
    versionCell(status.running ?? status.current),
    versionCell(status.available),
    messageCell(status),
  ];
}

function wideCells(status: WorkloadStatus): readonly Cell[] {
  return [
    status.tracks.join(", ") || "-",
    versionCell(status.current),
    rollbacksCell(status.rollbacks, status.maxRollbacks),
    inFlightCell(status),
    status.lastUpdate ?? "-",
    status.failedVersions.join(", ") || "-",
  ];
}
