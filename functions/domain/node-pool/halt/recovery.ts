import { secondsBetween } from "../../text/rfc3339.ts";
import { bootRecordedAt } from "../node/soak.ts";
import { classifyNode, parseDigest } from "../node/node-state.ts";
import type { UnhealthyNode } from "./halt.ts";
import { timeoutStatus } from "./timeouts.ts";
import type { Member } from "../node/bootc-node.ts";
import type { NodePool, NodePoolSpec } from "../pool/node-pool.ts";

/**
 * Returns the slot holders that keep a halted rollout halted although they are Ready again: they became Ready on the
 * target later than they should have, and have not released their slots. So a node that flaps halts a rollout once.
 * They do not blame an image.
 */
export function findRecovering(
  members: readonly Member[],
  targetImage: string,
  { spec, status }: NodePool,
  now: Date,
): readonly UnhealthyNode[] {
  if (!status.conditions.some(({ reason }) => reason === "RolloutHalted")) return [];
  const digest = parseDigest(targetImage);
  const recovering = members.filter((member) => runs(member, digest) && isReadyAgain(member, spec, now));
  return recovering.map(({ name }) => ({ name, reason: "Recovering" }));
}

function runs({ bootcNode }: Member, digest: string | null): boolean {
  return bootcNode.bootedDigest === digest && classifyNode(bootcNode) === "up-to-date";
}

function isReadyAgain(member: Member, spec: NodePoolSpec, now: Date): boolean {
  const { node, bootcNode } = member;
  if (bootcNode.slot === null || !node.ready || node.healthProblem !== null) return false;
  if (timeoutStatus(member, spec, now)?.kind === "rebooting") return true;
  const bootedAt = bootRecordedAt(bootcNode);
  if (bootedAt === null || node.readyChangedAt === null) return false;
  return secondsBetween(bootedAt, node.readyChangedAt) >= spec.minReadySeconds;
}
