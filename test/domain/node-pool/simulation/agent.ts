import { parseDigest } from "../../../../functions/domain/node-pool/node/node-state.ts";
import type { BootcNode } from "../../../../functions/domain/node-pool/node/bootc-node.ts";
import { afterReboot, bootcAgent } from "../../../../infra/local/kubernetes/controllers/nodes/bootc-agent-machine.ts";
import { findFault, type Machine, setBootcNode, setNode, webPod } from "./world.ts";

/** Advances a machine by one step: evicted pods are removed, and its agent takes its next step towards the BootcNode's spec. */
export function stepMachine(machine: Machine, now: Date): void {
  machine.pods = machine.pods.filter(({ isBeingDeleted }) => !isBeingDeleted);
  if (machine.node === null) return;
  if (machine.isDown) return finishReboot(machine, now);
  if (machine.isGoingDown) return startReboot(machine, now);
  const { unschedulable, ready } = machine.node;
  if (!unschedulable && ready && machine.pods.length === 0) machine.pods = [webPod];
  if (findFault(machine) === null && !ready) setNode(machine, { ready: true, readyChangedAt: now });
  if (machine.bootcNode !== null && machine.fault !== "silent") report(machine, machine.bootcNode);
}

/** Finishes a reboot. A broken image causes an error, a kubelet that does not start, or a boot into the previous image. */
function finishReboot(machine: Machine, now: Date): void {
  machine.isDown = false;
  machine.upSince = now;
  const images = { booted: machine.booted, staged: machine.bootcNode?.stagedDigest ?? null };
  machine.booted = afterReboot(images, machine.fault === "old-image").booted;
  machine.pods = [];
  if (findFault(machine) !== "not-ready") setNode(machine, { ready: true, readyChangedAt: now });
  setBootcNode(machine, { stagedDigest: null, bootedDigest: machine.booted, idle: { activity: null } });
}

function report(machine: Machine, bootcNode: BootcNode): void {
  const observed = { isObserved: true, bootedDigest: machine.booted, error: null };
  const activity = bootcAgent({ booted: machine.booted, staged: bootcNode.stagedDigest }, bootcNode);
  if (activity === "Idle") {
    const error = findFault(machine) === "degraded" ? "the image is bad" : null;
    return setBootcNode(machine, { ...observed, error, idle: { activity: null } });
  }
  if (machine.fault === "stage-fails")
    return setBootcNode(machine, { ...observed, error: "stage failed", idle: { activity: null } });
  if (activity === "Staging") return setBootcNode(machine, { ...observed, ...stage(bootcNode) });
  machine.isGoingDown = activity === "Rebooting";
  return setBootcNode(machine, { ...observed, idle: { activity } });
}

function startReboot(machine: Machine, now: Date): void {
  machine.isGoingDown = false;
  machine.isDown = true;
  setNode(machine, { ready: false, readyChangedAt: now });
}

/** Staging takes one step. */
function stage({ idle, desiredImage }: BootcNode): Partial<BootcNode> {
  if (idle?.activity !== "Staging") return { idle: { activity: "Staging" } };
  return { stagedDigest: parseDigest(desiredImage), idle: { activity: "Staged" } };
}
