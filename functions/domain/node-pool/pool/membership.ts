import { matchesSelector } from "../../text/label-selector.ts";
import type { BootcNode, KubeNode, Member, PoolNode } from "../node/bootc-node.ts";
import type { NodePool } from "./node-pool.ts";

/** A node that matches the selector and has no BootcNode yet. */
export interface JoiningNode extends PoolNode {
  readonly node: KubeNode;
  readonly bootcNode: null;
}

/**
 * A node of the pool that no longer matches, or whose Node was deleted. Also a node that Pawl cordoned or protected for the pool
 * and whose BootcNode was deleted manually.
 */
export type LeavingNode = (PoolNode & { readonly bootcNode: BootcNode }) | (PoolNode & { readonly node: KubeNode });

/** A node that matches and belongs to another pool. `owner` is null if its BootcNode has no owner. */
export interface ContestedNode {
  readonly name: string;
  readonly owner: string | null;
}

/** Each sorted by name. */
export interface Membership {
  readonly members: readonly Member[];
  readonly joining: readonly JoiningNode[];
  readonly leaving: readonly LeavingNode[];
  readonly contested: readonly ContestedNode[];
}

interface Named {
  readonly name: string;
}

type Assignment =
  | { readonly kind: "member"; readonly at: Member }
  | { readonly kind: "joining"; readonly at: JoiningNode }
  | { readonly kind: "leaving"; readonly at: LeavingNode }
  | { readonly kind: "contested"; readonly at: ContestedNode }
  | null;

/**
 * Computes the members of a pool from all Nodes and BootcNodes of the cluster. A contested node joins once its present
 * pool has released it. A pool that is being deleted matches nothing, so every node leaves it.
 */
export function computeMembership(pool: NodePool, nodes: readonly PoolNode[]): Membership {
  const assignments = [...nodes].sort(byName).map((node) => assignNode(pool, node));
  return {
    members: assignments.filter((assignment) => assignment?.kind === "member").map(({ at }) => at),
    joining: assignments.filter((assignment) => assignment?.kind === "joining").map(({ at }) => at),
    leaving: assignments.filter((assignment) => assignment?.kind === "leaving").map(({ at }) => at),
    contested: assignments.filter((assignment) => assignment?.kind === "contested").map(({ at }) => at),
  };
}

function assignNode(pool: NodePool, { name, node, bootcNode }: PoolNode): Assignment {
  const matches = node !== null && !pool.isBeingDeleted && matchesSelector(pool.spec.nodeSelector, node.labels);
  if (bootcNode === null) {
    if (matches) return { kind: "joining", at: { name, node, bootcNode } };
    return isMarkedBy(pool, node) ? { kind: "leaving", at: { name, node, bootcNode } } : null;
  }
  if (bootcNode.owner?.uid !== pool.uid) {
    return matches ? { kind: "contested", at: { name, owner: bootcNode.owner?.name ?? null } } : null;
  }
  return matches
    ? { kind: "member", at: { name, node, bootcNode } }
    : { kind: "leaving", at: { name, node, bootcNode } };
}

/** Reports whether Pawl cordoned or protected a Node for the pool. */
function isMarkedBy({ name }: NodePool, node: KubeNode | null): node is KubeNode {
  return node !== null && (node.cordonedByPool === name || node.protection?.pool === name);
}

/** Reports whether deleting the pool now would abandon its nodes without cleanup. A claim writes the finalizer. */
export function lacksFinalizer({ isBeingDeleted, hasFinalizer }: NodePool, { members }: Membership): boolean {
  return !isBeingDeleted && !hasFinalizer && members.length > 0;
}

/** Compares names by code units, as Go does: the same in every locale. */
export function byName(a: Named, b: Named): number {
  return a.name < b.name ? -1 : 1;
}
