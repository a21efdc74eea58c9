import { selects } from "../label-selector.ts";
import type { BootcNode, KubeNode, Member, NodePool, PoolNode } from "./types.ts";

/** A node that matches and has no BootcNode yet. */
export interface Joining extends PoolNode {
  readonly node: KubeNode;
  readonly bootcNode: null;
}

/**
 * A node that is the pool's and no longer matches, or whose Node is gone; also one that Pawl cordoned for the pool and whose
 * BootcNode somebody deleted.
 */
export type Leaving = (PoolNode & { readonly bootcNode: BootcNode }) | (PoolNode & { readonly node: KubeNode });

/** A node that matches and belongs to another pool; null to none. */
export interface Contested {
  readonly name: string;
  readonly owner: string | null;
}

/** Each in the order of names. */
export interface Membership {
  readonly members: readonly Member[];
  readonly joining: readonly Joining[];
  readonly leaving: readonly Leaving[];
  readonly contested: readonly Contested[];
}

interface Named {
  readonly name: string;
}

type Place =
  | { readonly kind: "member"; readonly at: Member }
  | { readonly kind: "joining"; readonly at: Joining }
  | { readonly kind: "leaving"; readonly at: Leaving }
  | { readonly kind: "contested"; readonly at: Contested }
  | null;

/**
 * Who belongs to a pool, of all Nodes and BootcNodes of the cluster. A contested node stays with the pool that has it and comes
 * over once that pool has let it go. A pool that is being deleted matches nothing, so that every node leaves it.
 */
export function membershipOf(pool: NodePool, nodes: readonly PoolNode[]): Membership {
  const places = [...nodes].sort(byName).map((node) => placeOf(pool, node));
  return {
    members: places.filter((place) => place?.kind === "member").map(({ at }) => at),
    joining: places.filter((place) => place?.kind === "joining").map(({ at }) => at),
    leaving: places.filter((place) => place?.kind === "leaving").map(({ at }) => at),
    contested: places.filter((place) => place?.kind === "contested").map(({ at }) => at),
  };
}

function placeOf(pool: NodePool, { name, node, bootcNode }: PoolNode): Place {
  const matches = node !== null && !pool.isBeingDeleted && selects(pool.spec.nodeSelector, node.labels);
  if (bootcNode === null) {
    if (matches) return { kind: "joining", at: { name, node, bootcNode } };
    return node?.cordonedFor === pool.name ? { kind: "leaving", at: { name, node, bootcNode } } : null;
  }
  if (bootcNode.owner?.uid !== pool.uid) {
    return matches ? { kind: "contested", at: { name, owner: bootcNode.owner?.name ?? null } } : null;
  }
  return matches
    ? { kind: "member", at: { name, node, bootcNode } }
    : { kind: "leaving", at: { name, node, bootcNode } };
}

/** Whether its nodes would be left behind as they stand, were the pool deleted now. A claim writes the finalizer. */
export function lacksFinalizer({ isBeingDeleted, hasFinalizer }: NodePool, { members }: Membership): boolean {
  return !isBeingDeleted && !hasFinalizer && members.length > 0;
}

/** By code units, as Go compares strings: the same in every locale. */
export function byName(a: Named, b: Named): number {
  return a.name < b.name ? -1 : 1;
}
