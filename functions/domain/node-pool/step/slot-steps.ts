import { classifyNode, hasStagedDesiredImage, willReboot } from "../node/node-state.ts";
import { planCordonStep, planRestoreStep } from "../node/cordon.ts";
import { summarizeList } from "../../text/summarize-list.ts";
import { findMeasuring } from "../node/analysis.ts";
import { assessDrain, type DrainedPod, withDrainTimes } from "../node/drain.ts";
import { findReadyDaemonSets } from "../node/health.ts";
import { planProtectStep, planUnprotectStep } from "../node/protection.ts";
import { isBack, isStablyReady, willStayUp } from "./slots.ts";
import { bootRecordedAt, soakSecondsLeft } from "../node/soak.ts";
import { soakOf } from "../halt/overdue.ts";
import { type NodeStep, waitFor } from "./step.ts";
import { timeoutStatus } from "../halt/timeouts.ts";
import type { PoolState } from "../pool/pool-state.ts";
import type { KubeNode, Member, Slot } from "../node/bootc-node.ts";

type Pods = readonly DrainedPod[] | null;

/** Plans the next step of a node that holds a slot: protect, cordon, drain, reboot, uncordon, soak, unprotect, release. */
export function planSlotStep(member: Member, slot: Slot, poolState: PoolState, pods: Pods): NodeStep {
  const { node, bootcNode } = member;
  if (slot.nodeUid !== null && slot.nodeUid !== node.uid) return planReplacedNodeStep(member, slot, poolState);
  const state = classifyNode(bootcNode);
  if (state === "up-to-date" && bootRecordedAt(bootcNode) === null && willStayUp(bootcNode))
    return { kind: "record-boot" };
  if (isBack(member)) return planSoakStep(member, slot, poolState);
  if (state === "degraded") return waitFor("owner", `its agent reports an error: ${bootcNode.error}`);
  const timeout = timeoutStatus(member, poolState.pool.spec, poolState.now);
  if (state === "staged" && timeout?.kind !== "rebooting") return planStagedStep(member, slot, poolState, pods);
  if (timeout !== null) return waitFor("owner", timeout.reason);
  return state === "up-to-date"
    ? waitFor("readiness", node.healthProblem ?? "it has to become Ready on its new image")
    : waitFor("agent", `its agent is ${state}`);
}

/** Plans the step of a node that is Ready on its new image: it takes pods while it has to stay Ready. */
function planSoakStep(member: Member, slot: Slot, poolState: PoolState): NodeStep {
  const restore = planRestoreStep(member.node, slot);
  if (restore !== null) return restore;
  const soak = soakOf(member.name, poolState);
  if (soakSecondsLeft(member, soak, poolState.now) > 0)
    return waitFor("soak", `it has to stay Ready for ${soak.minReadySeconds} s`);
  const measuring = findMeasuring(member, poolState.pool, poolState.now);
  if (measuring === null) return planReleaseStep(member.node, slot);
  return waitFor("soak", measuring.problem ?? "its metrics are measured");
}

/** Plans the step of a new machine that has the name of the slot's machine: it was neither cordoned nor drained. */
function planReplacedNodeStep(member: Member, slot: Slot, { pool: { spec }, now }: PoolState): NodeStep {
  if (willReboot(member.bootcNode)) return { kind: "revoke" };
  if (isStablyReady(member)) return planReleaseStep(member.node, slot);
  return waitFor(timeoutStatus(member, spec, now) === null ? "readiness" : "owner", "its machine was replaced");
}

/** Reports whether another image takes the place of that of a node, and waits for a gate: the node makes way for it. */
function isSuperseded({ desiredImage }: Member["bootcNode"], { gates, desired }: PoolState): boolean {
  return gates.length > 0 && desired?.image !== desiredImage;
}

/**
 * Plans the step of a staged node. A reboot is approved after a complete drain, for the staged digest, in a maintenance
 * window.
 */
function planStagedStep(member: Member, slot: Slot, poolState: PoolState, pods: Pods): NodeStep {
  const { node, bootcNode } = member;
  if (bootcNode.desiredImageState === "Booted") {
    return hasStagedDesiredImage(bootcNode) ? waitFor("agent", "its agent has to reboot it") : { kind: "revoke" };
  }
  if (!hasStagedDesiredImage(bootcNode)) return waitFor("agent", "its agent stages another image than the desired one");
  // The pods of a node that is not Ready do not terminate, and it would get no others.
  if (isStablyReady(member) && isDrainTimedOut(member, poolState, "GiveBack")) return planGiveBackStep(member, slot);
  if (!poolState.isWindowOpen || isSuperseded(bootcNode, poolState)) {
    return isStablyReady(member) && node.healthProblem === null
      ? planReleaseStep(node, slot)
      : waitFor("readiness", node.healthProblem ?? "it releases its slot once it is Ready");
  }
  const cordon = planProtectStep(node) ?? planCordonStep(node, slot);
  if (cordon?.kind === "cordon" && poolState.isHalted)
    return waitFor("owner", "the rollout is halted: no drain starts");
  return cordon ?? planDrainStep(member, slot, poolState, pods);
}

function planDrainStep({ node, bootcNode }: Member, slot: Slot, { pool, now }: PoolState, pods: Pods): NodeStep {
  if (pods === null) return waitFor("pods", "it is being drained");
  const current = withDrainTimes(slot, bootcNode.requestedAt);
  const drain = assessDrain(pods, current, pool.spec, now);
  const readyDaemonSets = pool.spec.checksDaemonSets ? findReadyDaemonSets(pods) : [];
  if (drain.kind === "complete") return { kind: "approve", readyDaemonSets };
  if (drain.kind === "evict") return drain;
  if (drain.kind === "blocked") return waitFor("pods", summarizeList(drain.problems).join("; "));
  const left = drain.remaining === 1 ? "1 pod is" : `${drain.remaining} pods are`;
  // The image before this one may have stopped the kubelet, which then never reports the end of a pod.
  if (drain.kind === "wait" && !node.ready && current !== slot) return { kind: "approve", readyDaemonSets };
  if (drain.kind === "wait") return waitFor("pods", `${left} terminating`);
  return { kind: "restart-drain", reason: `${left} left after ${pool.spec.drainTimeoutSeconds} s` };
}

/** Reports whether a drain has exceeded its timeout, and an action other than a report follows. */
export function isDrainTimedOut(member: Member, poolState: PoolState, action: "GiveBack" | "Force"): boolean {
  const { pool, now } = poolState;
  return pool.spec.onDrainTimeout === action && timeoutStatus(member, pool.spec, now)?.kind === "draining";
}

function planGiveBackStep({ node, bootcNode }: Member, slot: Slot): NodeStep {
  const step = planReleaseStep(node, slot);
  return step.kind === "release-slot" ? { ...step, givenBack: (bootcNode.givenBack?.count ?? 0) + 1 } : step;
}

function planReleaseStep(node: KubeNode, slot: Slot): NodeStep {
  return planRestoreStep(node, slot) ?? planUnprotectStep(node) ?? { kind: "release-slot" };
}
