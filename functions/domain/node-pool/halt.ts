import { resolveIntOrPercent } from "./int-or-percent.ts";
import { parseDigest } from "./node-state.ts";
import { holdsSlot } from "./slots.ts";
import { timeoutStatus } from "./timeouts.ts";
import type { Member } from "./bootc-node.ts";
import type { NodePoolSpec } from "./node-pool.ts";

export interface UnhealthyNode {
  readonly name: string;
  readonly reason: "Degraded" | "NotReady" | "RebootOverdue";
}

/**
 * Returns the slot holders that the target seems to have made unhealthy: nodes that run the target with an error or not
 * Ready, report an error and no booted digest, or exceed the reboot timeout. A node that fails on its previous image
 * says nothing about the target.
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
 * Reports whether enough nodes are unhealthy that no further node acquires a slot. The rollout resumes by itself once
 * they recover.
 */
export function isHalted({ haltThreshold }: NodePoolSpec, unhealthy: number, nodeCount: number): boolean {
  return unhealthy > 0 && unhealthy >= resolveIntOrPercent(haltThreshold, nodeCount);
}

function unhealthyReason(
  member: Member,
  targetImage: string,
  spec: NodePoolSpec,
  now: Date,
): UnhealthyNode["reason"] | null {
  const { node, bootcNode } = member;
  const runsTarget = bootcNode.bootedDigest === parseDigest(targetImage);
  if (bootcNode.error !== null) return runsTarget || bootcNode.bootedDigest === null ? "Degraded" : null;
  if (runsTarget) return node.ready ? null : "NotReady";
  return timeoutStatus(member, spec, now)?.kind === "rebooting" ? "RebootOverdue" : null;
}
