import { formatDuration } from "../../functions/domain/text/duration.ts";
import { parseRfc3339, secondsBetween } from "../../functions/domain/text/rfc3339.ts";
import { versionCell } from "../output/cells.ts";
import { stateCell } from "../output/state-cell.ts";
import { type Cell, type Colour, renderTable, type TableStream } from "../output/table.ts";
import type { PoolNodeStatus } from "./nodes.ts";
import type { PoolStatus } from "./status.ts";

const nodeColours = {
  "up-to-date": "green",
  staging: "cyan",
  staged: "cyan",
  rebooting: "cyan",
  pending: "yellow",
  degraded: "red",
  joining: "yellow",
  leaving: "gray",
  contested: "red",
} satisfies Record<PoolNodeStatus["state"], Colour>;

const cordons = { "by-pawl": "by Pawl", "by-others": "by others" } as const;

const poolColumns = [
  { header: "NAME" },
  { header: "IMAGE", narrow: "cut" },
  { header: "TARGET" },
  { header: "NODES" },
  { header: "UPDATED" },
  { header: "UPDATING" },
  { header: "DEGRADED" },
  { header: "STATE" },
  { header: "MESSAGE", narrow: "wrap" },
] as const;

export function poolTable(pools: readonly PoolStatus[], stream: TableStream): string {
  const rows = pools.map((pool): Cell[] => [
    pool.name,
    pool.image,
    versionCell(pool.target),
    ...[pool.nodeCount, pool.updatedCount, pool.updatingCount, pool.degradedCount].map(String),
    stateCell(pool.state),
    pool.message,
  ]);
  return renderTable(poolColumns, rows, { stream });
}

const nodeColumns = [
  { header: "NODE" },
  { header: "STATE" },
  { header: "BOOTED" },
  { header: "STAGED" },
  { header: "SLOT" },
  { header: "CORDONED" },
  { header: "NEXT STEP", narrow: "wrap" },
  { header: "PROBLEM", narrow: "wrap" },
] as const;

export function nodeTable(nodes: readonly PoolNodeStatus[], now: Date, stream: TableStream): string {
  const rows = nodes.map((node): Cell[] => [
    node.node,
    nodeStateCell(node),
    versionCell(node.booted),
    versionCell(node.staged),
    slotCell(node, now),
    node.cordoned === null ? "-" : cordons[node.cordoned],
    node.next?.what ?? "-",
    problemCell(node),
  ]);
  return renderTable(nodeColumns, rows, { stream });
}

export function nodeStateCell({ state }: Pick<PoolNodeStatus, "state">): Cell {
  return { text: state, colour: nodeColours[state] };
}

/** Returns the time since the slot was acquired, or since the reboot was approved. */
function slotCell({ slot }: PoolNodeStatus, now: Date): string {
  if (slot === null) return "-";
  const since = parseRfc3339(slot.approvedAt ?? slot.acquiredAt ?? "");
  const event = slot.approvedAt === null ? "acquired" : "approved";
  return since === null ? event : `${event} ${formatDuration(Math.max(0, Math.floor(secondsBetween(since, now))))} ago`;
}

/** Omits a problem that equals the next step. */
function problemCell({ problem, next }: PoolNodeStatus): Cell {
  return problem === null || problem === next?.what ? "" : { text: problem, colour: "red" };
}
