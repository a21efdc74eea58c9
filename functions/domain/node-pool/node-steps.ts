import { classify, willReboot } from "./classify.ts";
import { restoreStep } from "./cordon.ts";
import type { DrainedPod } from "./drain.ts";
import type { Leaving } from "./membership.ts";
import { managedLabel } from "./names.ts";
import { slotStep } from "./slot-steps.ts";
import { isTakeable } from "./slots.ts";
import { type Asks, type NodeStep, waitFor } from "./step.ts";
import { stuckness } from "./stuck.ts";
import type { Tick } from "./tick.ts";
import type { BootcNode, KubeNode, Member } from "./types.ts";

/**
 * The next step of a member, in an order that may be interrupted anywhere: what is remembered is written before what it
 * remembers is done, and taken away after it is undone. `pods` are those of the node; where they were not read (null) and
 * are needed, the step is to wait for them.
 */
export function memberStep(member: Member, tick: Tick, pods: readonly DrainedPod[] | null): NodeStep {
  const { node, bootcNode } = member;
  if (tick.asks === null) return waitFor("owner", "what it is to run could not be resolved yet");
  if (!isLabelled(node)) return { kind: "label" };
  const ask = askStep(bootcNode, tick.asks, holdsBack(tick) && bootcNode.slot === null);
  if (ask !== null) return ask;
  if (bootcNode.slot !== null) return slotStep(member, bootcNode.slot, tick, pods);
  return restoreStep(node, null) ?? freeStep(member, tick, tick.asks);
}

/** The first step of a node that matches and has no BootcNode yet. */
export function joiningStep(tick: Tick): NodeStep {
  if (tick.asks === null) return waitFor("owner", "what it is to run could not be resolved yet");
  return holdsBack(tick) ? waitFor("owner", "the pool is paused") : { kind: "create", asks: tick.asks };
}

/**
 * The next step of a node that leaves: its reboot is called off, its cordon and its label are taken away, and its BootcNode
 * goes last, since it remembers all of that. What is to be done to a Node that is gone is done.
 */
export function leavingStep({ node, bootcNode }: Leaving): NodeStep {
  if (node === null) return { kind: "delete" };
  // Where its BootcNode is gone already, the mark of its cordon is what remembers, and goes last.
  if (bootcNode === null) return { kind: isLabelled(node) ? "unlabel" : "uncordon" };
  if (willReboot(bootcNode)) return { kind: "revoke" };
  return restoreStep(node, bootcNode.slot) ?? { kind: isLabelled(node) ? "unlabel" : "delete" };
}

function isLabelled({ labels }: KubeNode): boolean {
  return Object.hasOwn(labels, managedLabel);
}

/** A paused pool that does not stage ahead asks nothing new of a node without a slot. */
function holdsBack({ pool: { spec } }: Tick): boolean {
  return spec.paused && !spec.preStageWhilePaused;
}

function askStep(bootcNode: BootcNode, asks: Asks, isHeldBack: boolean): NodeStep | null {
  const image = isHeldBack ? bootcNode.desiredImage : asks.image;
  const isNewImage = bootcNode.desiredImage !== image;
  if (!isNewImage && hasSecretOf(bootcNode, asks)) return null;
  return {
    kind: "ask",
    asks: { ...asks, image },
    isNewImage,
    state: isNewImage ? "Staged" : bootcNode.desiredImageState,
  };
}

function hasSecretOf({ pullSecretRef, pullSecretHash }: BootcNode, asks: Asks): boolean {
  const { name, namespace } = asks.pullSecretRef ?? {};
  return (
    pullSecretRef?.name === name && pullSecretRef?.namespace === namespace && pullSecretHash === asks.pullSecretHash
  );
}

/** Without a slot a node may stage, and nothing more. */
function freeStep(member: Member, tick: Tick, asks: Asks): NodeStep {
  const { name, node, bootcNode } = member;
  const state = classify(bootcNode);
  if (willReboot(bootcNode)) return { kind: "revoke" };
  if (bootcNode.desiredImage !== asks.image) return waitFor("owner", "the pool is paused");
  if (state === "up-to-date") return { kind: "none" };
  if (state === "degraded") return waitFor("owner", `its agent reports an error: ${bootcNode.error}`);
  if (tick.takers.has(name)) return { kind: "take-slot", wasCordoned: node.unschedulable, nodeUid: node.uid };
  const stuck = stuckness(member, tick.pool.spec, tick.now);
  if (stuck !== null) return waitFor("owner", stuck.reason);
  if (state !== "staged") return waitFor("staging", `its agent is ${state}`);
  if (!node.ready) return waitFor("owner", "its Node is not Ready");
  return isTakeable(member, asks.image)
    ? waitFor("slot", tick.whyNoSlots ?? "all slots are taken")
    : waitFor("staging", "its agent stages another image than it is asked for");
}
