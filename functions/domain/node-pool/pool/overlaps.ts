import { matchesSelector } from "../../text/label-selector.ts";
import { summarizeList } from "../../text/summarize-list.ts";
import type { PoolNode } from "../node/bootc-node.ts";
import type { NodePool } from "./node-pool.ts";

/**
 * Describes the pools that select nodes of this one too; null if none does. No node of them acquires a slot: two rollouts would
 * be judged by the same node. A node that leaves one pool for another matches only one.
 */
export function describeOverlap(pool: NodePool, pools: readonly NodePool[], nodes: readonly PoolNode[]): string | null {
  if (pool.isBeingDeleted) return null;
  const others = pools.filter(
    (other) => other.uid !== pool.uid && !other.isBeingDeleted && other.problems.length === 0,
  );
  const own = others.length === 0 ? [] : nodes.filter((node) => selects(pool, node));
  const overlapping = others.flatMap((other) => {
    const shared = own.filter((node) => selects(other, node)).map(({ name }) => name);
    return shared.length === 0 ? [] : [`${pool.name} and ${other.name} select ${summarizeList(shared).join(", ")}`];
  });
  return overlapping.length === 0
    ? null
    : `the pools ${summarizeList(overlapping).join("; ")}; change one of their selectors`;
}

function selects({ spec }: NodePool, { node }: PoolNode): boolean {
  return node !== null && matchesSelector(spec.nodeSelector, node.labels);
}
