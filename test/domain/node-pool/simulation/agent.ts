import { digestOf } from "../../../../functions/domain/node-pool/classify.ts";
import type { BootcNode } from "../../../../functions/domain/node-pool/types.ts";
import { type Machine, setBootcNode, setNode, web } from "./world.ts";

/** One turn of a machine: pods that were evicted end, and its agent takes the next step towards what it is asked for. */
export function turn(machine: Machine): void {
  machine.pods = machine.pods.filter(({ isBeingDeleted }) => !isBeingDeleted);
  if (machine.node === null) return;
  if (machine.isDown) return comeUp(machine);
  if (machine.isGoingDown) return goDown(machine);
  const { unschedulable, ready } = machine.node;
  if (!unschedulable && ready && machine.pods.length === 0) machine.pods = [web];
  if (machine.fault === null && !ready) setNode(machine, { ready: true });
  if (machine.bootcNode !== null && machine.fault !== "silent") report(machine, machine.bootcNode);
}

/** A fault of the image is seen after a reboot: an error, a kubelet that does not start, or the image before. */
function comeUp(machine: Machine): void {
  machine.isDown = false;
  const staged = machine.bootcNode?.stagedDigest ?? null;
  if (staged !== null && machine.fault !== "old-image") machine.booted = staged;
  machine.pods = [];
  setNode(machine, { ready: machine.fault !== "not-ready" });
  setBootcNode(machine, { stagedDigest: null, bootedDigest: machine.booted, idle: { activity: null } });
}

function report(machine: Machine, bootcNode: BootcNode): void {
  const seen = { isObserved: true, bootedDigest: machine.booted, error: null };
  const desired = digestOf(bootcNode.desiredImage);
  if (machine.booted === desired) {
    const error = machine.fault === "degraded" ? "the image is bad" : null;
    return setBootcNode(machine, { ...seen, error, idle: { activity: null } });
  }
  if (machine.fault === "stage-fails")
    return setBootcNode(machine, { ...seen, error: "stage failed", idle: { activity: null } });
  if (bootcNode.stagedDigest !== desired) return setBootcNode(machine, { ...seen, ...stage(bootcNode, desired) });
  if (bootcNode.desiredImageState === "Staged") return setBootcNode(machine, { ...seen, idle: { activity: "Staged" } });
  machine.isGoingDown = true;
  return setBootcNode(machine, { ...seen, idle: { activity: "Rebooting" } });
}

function goDown(machine: Machine): void {
  machine.isGoingDown = false;
  machine.isDown = true;
  setNode(machine, { ready: false });
}

/** Staging takes a turn. */
function stage({ idle }: BootcNode, desired: string | null): Partial<BootcNode> {
  if (idle?.activity !== "Staging") return { idle: { activity: "Staging" } };
  return { stagedDigest: desired, idle: { activity: "Staged" } };
}
