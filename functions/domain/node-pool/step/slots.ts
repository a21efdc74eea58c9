import { resolveIntOrPercent } from "../pool/int-or-percent.ts";
import { classifyNode, hasStagedDesiredImage } from "../node/node-state.ts";
import { byName, type JoiningNode, type Membership } from "../pool/membership.ts";
import type { BootcNode, Member, PoolNode } from "../node/bootc-node.ts";
import type { NodePoolSpec } from "../pool/node-pool.ts";

/** Returns how many nodes of a pool may hold a slot at once; 0 if it is paused. */
export function maxSlots({ paused, maxUnavailable }: NodePoolSpec, nodeCount: number): number {
  return paused ? 0 : resolveIntOrPercent(maxUnavailable, nodeCount);
}

/**
 * Reports whether a node counts against the pool's slots. A node that Pawl cordoned counts without its annotation too:
 * its BootcNode was deleted manually.
 */
export function holdsSlot({ node, bootcNode }: PoolNode): boolean {
  return (bootcNode?.slot ?? null) !== null || (node?.cordonedByPool ?? null) !== null;
}

/**
 * Returns the nodes without a slot that are not Ready, or that somebody else has cordoned, if these are skipped. Each counts
 * against `maxUnavailable` as a slot does.
 */
export function findUnavailable(
  { members, joining }: Membership,
  spec: Pick<NodePoolSpec, "cordonedNodes">,
): readonly (Member | JoiningNode)[] {
  return [...members, ...joining].filter((one) => !holdsSlot(one) && (!one.node.ready || isSkipped(one, spec)));
}

/** Reports whether a node acquires no slot because somebody else has cordoned it. One with a slot continues. */
export function isSkipped(one: PoolNode, { cordonedNodes }: Pick<NodePoolSpec, "cordonedNodes">): boolean {
  return cordonedNodes === "Skip" && one.node?.unschedulable === true && !holdsSlot(one);
}

/** Counts the held slots. A leaving node holds its slot until it is uncordoned and its BootcNode is deleted. */
export function countOccupiedSlots({ members, joining, leaving }: Membership): number {
  return [...members, ...joining, ...leaving].filter(holdsSlot).length;
}

/**
 * Returns the staged nodes that hold a slot, then as many eligible nodes as there are free slots, each sorted by name.
 */
export function selectSlotCandidates(
  members: readonly Member[],
  targetImage: string,
  freeSlots: number,
): readonly Member[] {
  const sorted = [...members].sort(byName);
  const holding = sorted.filter((member) => holdsSlot(member) && classifyNode(member.bootcNode) === "staged");
  const acquiring = sorted.filter((member) => !holdsSlot(member) && canAcquireSlot(member, targetImage));
  return [...holding, ...acquiring.slice(0, Math.max(0, freeSlots))];
}

/** Which of the candidates acquire slots one at a time, in which order, and whether none of them does now. */
interface OneAtATime {
  readonly isOf: (one: Member) => boolean;
  readonly isBusy: boolean;
  readonly order?: (one: Member, other: Member) => number;
}

/** Returns the candidates, with at most one of those that acquire slots one at a time: the first that could. */
export function limitToOne(
  candidates: readonly Member[],
  targetImage: string,
  { isOf, isBusy, order = byName }: OneAtATime,
): readonly Member[] {
  const possible = candidates.filter((one) => isOf(one) && canAcquireSlot(one, targetImage));
  const [first] = isBusy ? [] : possible.sort(order);
  return candidates.filter((one) => !isOf(one) || one === first);
}

/** Reports whether a node may acquire a slot: it is Ready, has no error and has staged the target. */
export function canAcquireSlot({ node, bootcNode }: Member, targetImage: string): boolean {
  if (classifyNode(bootcNode) !== "staged" || bootcNode.desiredImage !== targetImage) return false;
  // A dead node would never release its slot: its pods do not terminate.
  return node.ready && hasStagedDesiredImage(bootcNode);
}

/**
 * Reports whether a node has ended its reboot: it runs its desired image without an error, passes the health checks of
 * its pool and will not reboot by itself.
 */
export function isBack(member: Member): boolean {
  const isHealthy = classifyNode(member.bootcNode) === "up-to-date" && member.node.healthProblem === null;
  return isHealthy && isStablyReady(member);
}

/** Reports whether a node is Ready and its agent will not reboot it. */
export function isStablyReady({ node, bootcNode }: Member): boolean {
  return node.ready && willStayUp(bootcNode);
}

/** Reports whether an agent is done: while it reboots, or has not observed the latest spec, it may reboot its node. */
export function willStayUp({ isObserved, idle }: BootcNode): boolean {
  return isObserved && idle?.activity !== "Rebooting";
}
