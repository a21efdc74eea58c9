import { nodesOf } from "./amount.ts";
import { digestOf } from "./classify.ts";
import { holdsSlot } from "./slots.ts";
import { stuckness } from "./stuck.ts";
import type { Member, NodePoolSpec } from "./types.ts";

export interface Unhealthy {
  readonly name: string;
  readonly reason: "Degraded" | "NotReady" | "RebootOverdue";
}

/**
 * The slot holders that the target seems to have made unhealthy: those that run it with an error (or name nothing that they
 * run), that run it and are not Ready, or that are overdue from their reboot. One that fails on the image before tells nothing
 * of the target.
 */
export function unhealthyHolders(
  members: readonly Member[],
  targetImage: string,
  spec: NodePoolSpec,
  now: Date,
): readonly Unhealthy[] {
  return members.filter(holdsSlot).flatMap((member) => {
    const reason = whyUnhealthy(member, targetImage, spec, now);
    return reason === null ? [] : [{ name: member.name, reason }];
  });
}

/** Whether so many are unhealthy that no further node takes a slot. Once enough of them are healthy again it goes on by itself. */
export function isHalted({ haltThreshold }: NodePoolSpec, unhealthy: number, nodeCount: number): boolean {
  return unhealthy > 0 && unhealthy >= nodesOf(haltThreshold, nodeCount);
}

function whyUnhealthy(member: Member, targetImage: string, spec: NodePoolSpec, now: Date): Unhealthy["reason"] | null {
  const { node, bootcNode } = member;
  const runsTarget = bootcNode.bootedDigest === digestOf(targetImage);
  if (bootcNode.error !== null) return runsTarget || bootcNode.bootedDigest === null ? "Degraded" : null;
  if (runsTarget) return node.ready ? null : "NotReady";
  return stuckness(member, spec, now)?.kind === "rebooting" ? "RebootOverdue" : null;
}
