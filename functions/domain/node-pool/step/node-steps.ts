import { classifyNode, willReboot } from "../node/node-state.ts";
import { planRestoreStep } from "../node/cordon.ts";
import type { DrainedPod } from "../node/drain.ts";
import { secondsSinceRequest } from "../halt/overdue.ts";
import type { LeavingNode } from "../pool/membership.ts";
import { managedLabel } from "../pool/annotations.ts";
import { planUnprotectStep } from "../node/protection.ts";
import { planSlotStep } from "./slot-steps.ts";
import { isInQuorum } from "./quorum.ts";
import { canAcquireSlot, isSkipped } from "./slots.ts";
import { type DesiredNode, type NodeStep, waitFor } from "./step.ts";
import { describeGates } from "../pool/gates.ts";
import { chooseNodeImage } from "../pool/target.ts";
import { overdueSeconds, timeoutStatus } from "../halt/timeouts.ts";
import type { PoolState } from "../pool/pool-state.ts";
import type { BootcNode, KubeNode, Member } from "../node/bootc-node.ts";

/**
 * Plans the next step of a member, in an order that may be interrupted anywhere: state is recorded before the change
 * that it describes, and removed after that change is undone. If `pods` are needed and were not read (null), the step
 * is to wait for them.
 */
export function planMemberStep(member: Member, poolState: PoolState, pods: readonly DrainedPod[] | null): NodeStep {
  const { node, bootcNode } = member;
  if (poolState.desired === null) return waitFor("owner", "its image is not resolved yet");
  if (!hasManagedLabel(node)) return { kind: "label" };
  const image = chooseNodeImage(bootcNode, poolState.desired.image, poolState.failedDigest);
  const desired = { ...poolState.desired, image };
  const isWaiting = isStagingPaused(poolState) || poolState.notYetStaging.has(member.name);
  // A node in a slot ends it with the image that it has, also if another one waits for a gate.
  const isHeldBack = poolState.gates.length > 0 || (bootcNode.slot === null && isWaiting);
  const ask = planRequestStep(bootcNode, desired, isHeldBack);
  if (ask !== null) return ask;
  if (bootcNode.slot !== null) return planSlotStep(member, bootcNode.slot, poolState, pods);
  return planRestoreStep(node, null) ?? planUnprotectStep(node) ?? planStepWithoutSlot(member, poolState, desired);
}

function slotsInUse(member: Member, { pool, etcdNodes }: PoolState): string {
  if (isInQuorum(member, etcdNodes))
    return "all slots are in use, or another node of the control plane has one or is not Ready";
  return `all slots are in use${pool.spec.topologyKey === null ? "" : ", or another zone has them"}`;
}

const notYetStaged = waitFor(
  "slot",
  "it stages the image once the first nodes have succeeded with it (rollout.stageAhead)",
);

/** Plans the first step of a node that matches and has no BootcNode yet. */
export function planJoiningStep(name: string, poolState: PoolState): NodeStep {
  if (poolState.desired === null) return waitFor("owner", "its image is not resolved yet");
  if (poolState.gates.length > 0) return waitFor("owner", describeGates(poolState.gates));
  if (poolState.notYetStaging.has(name)) return notYetStaged;
  return isStagingPaused(poolState)
    ? waitFor("owner", "the pool is paused")
    : { kind: "create", desired: poolState.desired };
}

/**
 * Plans the next step of a node that leaves: its reboot is revoked, and its cordon and label are removed. Its BootcNode
 * is deleted last, because it records all of that. A deleted Node needs no cleanup. One that is rebooting keeps its slot until it is back.
 */
export function planLeavingStep({ node, bootcNode }: LeavingNode, now: Date): NodeStep {
  if (node === null) return { kind: "delete" };
  // If its BootcNode was deleted, Pawl's marks are the only record and are removed last.
  if (bootcNode === null && hasManagedLabel(node)) return { kind: "unlabel" };
  if (bootcNode === null) return planUnprotectStep(node) ?? { kind: "uncordon" };
  if (isMidReboot(node, bootcNode, now)) return waitFor("agent", "it leaves the pool once its reboot has ended");
  if (willReboot(bootcNode)) return { kind: "revoke" };
  return (
    planRestoreStep(node, bootcNode.slot) ??
    planUnprotectStep(node) ?? { kind: hasManagedLabel(node) ? "unlabel" : "delete" }
  );
}

/** Reports whether a slot holder may be rebooting, which nothing stops. After a quarter of an hour it may never come back. */
function isMidReboot({ ready }: KubeNode, bootcNode: BootcNode, now: Date): boolean {
  const isAway = !ready || bootcNode.idle?.activity === "Rebooting";
  return bootcNode.slot !== null && isAway && secondsSinceRequest(bootcNode, now) < overdueSeconds;
}

function hasManagedLabel({ labels }: KubeNode): boolean {
  return Object.hasOwn(labels, managedLabel);
}

/** Reports whether a node without a slot gets no new image: the pool is paused and does not pre-stage. */
function isStagingPaused({ pool: { spec } }: PoolState): boolean {
  return spec.paused && !spec.preStageWhilePaused;
}

function planRequestStep(bootcNode: BootcNode, desired: DesiredNode, isHeldBack: boolean): NodeStep | null {
  const image = isHeldBack ? bootcNode.desiredImage : desired.image;
  const isNewImage = bootcNode.desiredImage !== image;
  if (!isNewImage && hasDesiredPullSecret(bootcNode, desired)) return null;
  return {
    kind: "request-image",
    desired: { ...desired, image },
    isNewImage,
    state: isNewImage ? "Staged" : bootcNode.desiredImageState,
  };
}

function hasDesiredPullSecret({ pullSecretRef, pullSecretHash }: BootcNode, desired: DesiredNode): boolean {
  const { name, namespace } = desired.pullSecretRef ?? {};
  return (
    pullSecretRef?.name === name && pullSecretRef?.namespace === namespace && pullSecretHash === desired.pullSecretHash
  );
}

/** Plans the step of a node without a slot, which may only stage. */
function planStepWithoutSlot(member: Member, poolState: PoolState, desired: DesiredNode): NodeStep {
  const { name, node, bootcNode } = member;
  const state = classifyNode(bootcNode);
  if (willReboot(bootcNode)) return { kind: "revoke" };
  if (bootcNode.desiredImage !== desired.image) {
    if (poolState.gates.length > 0) return waitFor("owner", describeGates(poolState.gates));
    return isStagingPaused(poolState) ? waitFor("owner", "the pool is paused") : notYetStaged;
  }
  if (state === "up-to-date") return { kind: "none" };
  if (state === "degraded") return waitFor("owner", `its agent reports an error: ${bootcNode.error}`);
  if (poolState.slotRecipients.has(name))
    return { kind: "acquire-slot", wasCordoned: node.unschedulable, nodeUid: node.uid, bootId: node.bootId };
  const timeout = timeoutStatus(member, poolState.pool.spec, poolState.now);
  if (timeout !== null) return waitFor("owner", timeout.reason);
  if (state !== "staged") return waitFor("staging", `its agent is ${state}`);
  if (!node.ready) return waitFor("owner", "its Node is not Ready");
  if (isSkipped(member, poolState.pool.spec))
    return waitFor("owner", "it is cordoned; uncordon it, or set rollout.cordonedNodes: Include");
  return canAcquireSlot(member, desired.image)
    ? waitFor("slot", poolState.noSlotReason ?? slotsInUse(member, poolState))
    : waitFor("staging", "its agent stages another image than the desired one");
}
