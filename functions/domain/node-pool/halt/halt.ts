import { commandAttempts } from "../agent/retry.ts";
import { resolveIntOrPercent } from "../pool/int-or-percent.ts";
import { classifyNode, parseDigest } from "../node/node-state.ts";
import type { Membership } from "../pool/membership.ts";
import { findUnavailable, holdsSlot } from "../step/slots.ts";
import { isComingBack } from "../node/soak.ts";
import { isLongNotReady, timeoutStatus } from "./timeouts.ts";
import type { KubeNode, Member } from "../node/bootc-node.ts";
import type { NodePoolSpec } from "../pool/node-pool.ts";

export interface UnhealthyNode {
  readonly name: string;
  readonly reason:
    | "Degraded"
    | "NotReady"
    | "Unhealthy"
    | "RebootFailed"
    | "RebootOverdue"
    | "SlotOverdue"
    | "SoakFailed"
    | "Recovering";
}

/**
 * Returns the slot holders that the target seems to have made unhealthy: nodes that run the target with an error or not
 * Ready, report an error and no booted digest, exceed the reboot timeout or the time for a slot, or report an error on
 * another image after their reboot was approved. A node that fails before that says nothing about the target, and one that has just booted
 * may still become Ready.
 */
export function findUnhealthySlotHolders(
  members: readonly Member[],
  targetImage: string,
  spec: NodePoolSpec,
  now: Date,
): readonly UnhealthyNode[] {
  return members.filter(holdsSlot).flatMap((member) => {
    const reason = unhealthyReason(member, targetImage, spec, now);
    return reason === null ? [] : [{ name: member.name, reason }];
  });
}

/**
 * Returns the nodes that run an image and that it seems to have made unhealthy: in their slots for it, or with an error or dead
 * since they have released these. A slot holder that leaves an image says nothing about it.
 */
export function findFailingOn(
  image: string,
  members: readonly Member[],
  spec: NodePoolSpec,
  now: Date,
): readonly string[] {
  const digest = parseDigest(image);
  const holders = members.filter(
    ({ bootcNode }) => bootcNode.bootedDigest === digest && parseDigest(bootcNode.desiredImage) === digest,
  );
  const failing = findUnhealthySlotHolders(holders, image, spec, now).map(({ name }) => name);
  return [...failing, ...findFailedSince(members, image, now)];
}

/** Returns the nodes that have an error on an image, or have died on it, since they released their slots. */
export function findFailedSince(members: readonly Member[], image: string, now: Date): readonly string[] {
  const digest = parseDigest(image);
  const failed = members.filter((member) => {
    const { node, bootcNode } = member;
    if (holdsSlot(member) || bootcNode.bootedDigest !== digest) return false;
    // An error of a node that should stage another image is that of the other image.
    const hasError = bootcNode.error !== null && parseDigest(bootcNode.desiredImage) === digest;
    return hasError || isLongNotReady(node, now);
  });
  return failed.map(({ name }) => name);
}

/**
 * Returns the nodes whose slots no other node can acquire, although they say nothing about the target: dead and
 * cordoned nodes without a slot, and slot holders that died or fail on another image. A cluster that scales loses no slots.
 */
export function findLostSlots(
  membership: Membership,
  unhealthy: readonly UnhealthyNode[],
  spec: NodePoolSpec,
  now: Date,
): readonly string[] {
  const holders = membership.members.filter(
    (member) => (holdsSlot(member) && isFailing(member)) || timeoutStatus(member, spec, now)?.kind === "not-ready",
  );
  const withoutSlot = findUnavailable(membership, spec).filter(({ node }) => node.ready || isLongNotReady(node, now));
  const names = [...withoutSlot, ...holders].map(({ name }) => name);
  return names.filter((name) => !unhealthy.some((one) => one.name === name));
}

/**
 * Reports whether enough nodes are unhealthy that no further node acquires a slot. The rollout resumes by itself once
 * they recover. A threshold above the number of slots that can be held, or of nodes that the steps allow, could never be reached,
 * so that number is its limit.
 */
export function isHalted(
  { haltThreshold, maxUnavailable }: NodePoolSpec,
  unhealthy: number,
  nodeCount: number,
  lostSlots: number,
  waveNodes = Infinity,
): boolean {
  const most = Math.min(resolveIntOrPercent(maxUnavailable, nodeCount), nodeCount, waveNodes);
  const slots = Math.max(1, most - lostSlots);
  return unhealthy > 0 && unhealthy >= Math.min(resolveIntOrPercent(haltThreshold, nodeCount), slots);
}

/** Reports whether a node has an error, or tries again after one to reach its desired image. */
function isFailing({ bootcNode }: Member): boolean {
  return bootcNode.error !== null || (commandAttempts(bootcNode) > 0 && classifyNode(bootcNode) !== "up-to-date");
}

function unhealthyReason(
  member: Member,
  targetImage: string,
  spec: NodePoolSpec,
  now: Date,
): UnhealthyNode["reason"] | null {
  const { node, bootcNode } = member;
  const { slot } = bootcNode;
  const targetDigest = parseDigest(targetImage);
  const isApproved = slot !== null && slot.approvedAt !== null && parseDigest(bootcNode.desiredImage) === targetDigest;
  const runsTarget = bootcNode.bootedDigest === targetDigest;
  if (bootcNode.error !== null) {
    if (runsTarget || bootcNode.bootedDigest === null) return "Degraded";
    return isApproved ? "RebootFailed" : null;
  }
  const timeout = timeoutStatus(member, spec, now)?.kind;
  const overdue = timeout === "rebooting" ? "RebootOverdue" : null;
  if (runsTarget) {
    if (timeout === "slot") return "SlotOverdue";
    const problem = nodeProblem(node);
    if (slot === null || !isComingBack(bootcNode, spec, now)) return problem;
    return isApproved && problem !== null ? overdue : null;
  }
  // Its agent tries again, and reports no error meanwhile.
  if (isApproved && commandAttempts(bootcNode) > 0) return "RebootFailed";
  return overdue;
}

function nodeProblem({ ready, healthProblem }: KubeNode): UnhealthyNode["reason"] | null {
  if (!ready) return "NotReady";
  return healthProblem === null ? null : "Unhealthy";
}
