import { classify, isStagedAsDesired, willReboot } from "./classify.ts";
import { cordonStep, restoreStep } from "./cordon.ts";
import { assessDrain, type DrainedPod } from "./drain.ts";
import { isFreeable, isSteady } from "./slots.ts";
import { type NodeStep, waitFor } from "./step.ts";
import { stuckness } from "./stuck.ts";
import type { Tick } from "./tick.ts";
import type { KubeNode, Member, Slot } from "./types.ts";

type Pods = readonly DrainedPod[] | null;

/** The next step of a node that holds a slot: cordon, drain, reboot, and when it is back, uncordon and free the slot. */
export function slotStep(member: Member, slot: Slot, tick: Tick, pods: Pods): NodeStep {
  const { node, bootcNode } = member;
  if (slot.nodeUid !== null && slot.nodeUid !== node.uid) return inheritedStep(member, slot);
  const state = classify(bootcNode);
  if (isFreeable(member)) return giveBack(node, slot);
  if (state === "degraded") return waitFor("owner", `its agent reports an error: ${bootcNode.error}`);
  const stuck = stuckness(member, tick.pool.spec, tick.now);
  if (stuck !== null && stuck.kind !== "draining") return waitFor("owner", stuck.reason);
  if (state === "up-to-date") return waitFor("readiness", "it is to be Ready on its new image");
  if (state !== "staged") return waitFor("agent", `its agent is ${state}`);
  return stagedStep(member, slot, tick, pods);
}

/** The machine that took the slot is gone, and another has its name: that one was neither cordoned nor drained. */
function inheritedStep(member: Member, slot: Slot): NodeStep {
  if (willReboot(member.bootcNode)) return { kind: "revoke" };
  return isSteady(member) ? giveBack(member.node, slot) : waitFor("readiness", "another machine has its name by now");
}

/** The reboot is approved after a complete drain, for the digest that is staged, and in a maintenance window. */
function stagedStep(member: Member, slot: Slot, tick: Tick, pods: Pods): NodeStep {
  const { node, bootcNode } = member;
  if (bootcNode.desiredImageState === "Booted") {
    return isStagedAsDesired(bootcNode) ? waitFor("agent", "its agent is to reboot it") : { kind: "revoke" };
  }
  if (!isStagedAsDesired(bootcNode)) return waitFor("agent", "its agent stages another image than it is asked for");
  if (!tick.isOpen) {
    return isSteady(member) ? giveBack(node, slot) : waitFor("readiness", "it gives its slot back once it is Ready");
  }
  const cordon = cordonStep(node, slot);
  if (cordon?.kind === "cordon" && tick.isHalted) return waitFor("owner", "the rollout is halted: no drain begins");
  return cordon ?? drainStep(slot, tick, pods);
}

function drainStep(slot: Slot, { pool, now }: Tick, pods: Pods): NodeStep {
  if (pods === null) return waitFor("pods", "it is being drained");
  const drain = assessDrain(pods, slot, pool.spec.drainTimeoutSeconds, now);
  if (drain.kind === "complete") return { kind: "approve" };
  if (drain.kind === "evict") return drain;
  const left = drain.left === 1 ? "1 pod is" : `${drain.left} pods are`;
  if (drain.kind === "wait") return waitFor("pods", `${left} ending`);
  return { kind: "restart-drain", reason: `${left} left after ${pool.spec.drainTimeoutSeconds} s` };
}

function giveBack(node: KubeNode, slot: Slot): NodeStep {
  return restoreStep(node, slot) ?? { kind: "free-slot" };
}
