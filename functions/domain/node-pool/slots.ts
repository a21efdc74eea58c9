import { nodesOf } from "./amount.ts";
import { classify, isStagedAsDesired } from "./classify.ts";
import { byName, type Membership } from "./membership.ts";
import type { Member, NodePoolSpec, PoolNode } from "./types.ts";

/** How many nodes of a pool may hold a slot at once: none of a paused one. */
export function slotsOf({ paused, maxUnavailable }: NodePoolSpec, nodeCount: number): number {
  return paused ? 0 : nodesOf(maxUnavailable, nodeCount);
}

/**
 * Whether a node counts against the pool's slots. One that Pawl cordoned counts without its annotation too: its BootcNode
 * was deleted by hand while it was away.
 */
export function holdsSlot({ node, bootcNode }: PoolNode): boolean {
  return (bootcNode?.slot ?? null) !== null || (node?.cordonedFor ?? null) !== null;
}

/** A node that leaves holds its slot until it is uncordoned and its BootcNode gone. */
export function occupiedSlots({ members, joining, leaving }: Membership): number {
  return [...members, ...joining, ...leaving].filter(holdsSlot).length;
}

/** The staged nodes that hold a slot, then so many that may take one as there are free slots, each in the order of names. */
export function candidates(members: readonly Member[], targetImage: string, freeSlots: number): readonly Member[] {
  const inOrder = [...members].sort(byName);
  const slotted = inOrder.filter((member) => holdsSlot(member) && classify(member.bootcNode) === "staged");
  const takers = inOrder.filter((member) => !holdsSlot(member) && isTakeable(member, targetImage));
  return [...slotted, ...takers.slice(0, Math.max(0, freeSlots))];
}

/** Whether a node is healthy and has staged what its pool runs: only then it may take a slot. */
export function isTakeable({ node, bootcNode }: Member, targetImage: string): boolean {
  if (classify(bootcNode) !== "staged" || bootcNode.desiredImage !== targetImage) return false;
  // A dead node would hold its slot for ever: its pods never end.
  return node.ready && isStagedAsDesired(bootcNode);
}

/** Whether a node may give its slot back: it runs what it should without an error, and will not go down of itself. */
export function isFreeable(member: Member): boolean {
  return classify(member.bootcNode) === "up-to-date" && isSteady(member);
}

/**
 * Whether a node is Ready and stays so. An agent that is about to reboot, or has not seen yet that it need not, may still take
 * it down.
 */
export function isSteady({ node, bootcNode: { isObserved, idle } }: Member): boolean {
  return node.ready && isObserved && idle?.activity !== "Rebooting";
}
