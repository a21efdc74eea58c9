import type { ClosedGate } from "../../functions/domain/gates/closed-gate.ts";
import type { PlannedPool } from "../node-pools/plan.ts";
import { nodeStateCell } from "../node-pools/tables.ts";
import type { PlannedWorkload } from "../workloads/plan.ts";
import { versionCell } from "./cells.ts";
import { stateCell } from "./state-cell.ts";
import { type Cell, renderTable, type TableStream } from "./table.ts";

const columns = [
  { header: "WORKLOAD", narrow: "break" },
  { header: "STATE" },
  { header: "CURRENT", dropped: 1 },
  { header: "CANDIDATE" },
  { header: "MESSAGE", narrow: "wrap" },
] as const;

type Planned =
  | PlannedPool
  | (PlannedWorkload & { readonly gates?: readonly ClosedGate[]; readonly waitsFor?: string | null });

/** A workload that several gates hold has all of them, in a few words. */
export function planTable(planned: readonly Planned[], stream: TableStream): string {
  const rows = planned.map(({ workload, current, candidate, state, message, ...one }): Cell[] => [
    workload,
    stateCell(state),
    versionCell(current),
    versionCell(candidate),
    "gates" in one && one.gates.length > 1 ? (one.waitsFor ?? message) : message,
  ]);
  return renderTable(columns, rows, { stream });
}

const nodeColumns = [
  { header: "NODE POOL" },
  { header: "NODE" },
  { header: "STATE" },
  { header: "NEXT STEP", narrow: "wrap" },
] as const;

const drainColumns = [{ header: "NODE POOL" }, { header: "NODE" }, { header: "ITS DRAIN", narrow: "wrap" }] as const;

/** Renders the pods that a drain loses or must not evict; empty if there are none. */
export function drainTable(pools: readonly PlannedPool[], stream: TableStream): string {
  const rows = pools.flatMap(({ name, nodes }) =>
    nodes.flatMap(({ node, drain }) => drain.map((text): Cell[] => [name, node, { text, colour: "yellow" }])),
  );
  return rows.length === 0 ? "" : renderTable(drainColumns, rows, { stream });
}

/** Renders the nodes of all pools that will change. */
export function plannedNodesTable(pools: readonly PlannedPool[], stream: TableStream): string {
  const rows = pools.flatMap(({ name, nodes }) =>
    nodes.map((node): Cell[] => [name, node.node, nodeStateCell(node), node.next?.what ?? "-"]),
  );
  return renderTable(nodeColumns, rows, { stream });
}
