import { parseDigest } from "../../../functions/domain/node-pool/node/node-state.ts";
import { managedLabel } from "../../../functions/domain/node-pool/pool/annotations.ts";
import type { BootcNode, KubeNode, PoolNode } from "../../../functions/domain/node-pool/node/bootc-node.ts";
import { afterReboot, bootcAgent } from "../../../infra/local/kubernetes/controllers/nodes/bootc-agent-machine.ts";
import type { FakeNodePools } from "./fake-node-pools.ts";

/** Advances every agent by one step towards the spec of its BootcNode: stage, wait for approval, start and finish a reboot. */
export function stepAgents(nodePools: FakeNodePools, names: readonly string[]): void {
  for (const name of names) {
    const at = nodePools.node(name);
    const { node, bootcNode } = at;
    if (node === null || bootcNode === null || !Object.hasOwn(node.labels, managedLabel)) continue;
    nodePools.putNode(stepAgent(at, node, bootcNode));
  }
}

function stepAgent(at: PoolNode, node: KubeNode, before: BootcNode): PoolNode {
  const images = { booted: before.bootedDigest ?? "sha256:first", staged: before.stagedDigest };
  const bootcNode = { ...before, bootedDigest: images.booted, isObserved: true };
  const idle = { activity: null };
  const activity = bootcAgent(images, bootcNode);
  if (activity === "Idle") return { ...at, node: { ...node, ready: true }, bootcNode: { ...bootcNode, idle } };
  if (activity === "Staged") return { ...at, bootcNode };
  if (activity === "Staging") {
    const stagedDigest = parseDigest(bootcNode.desiredImage);
    return { ...at, bootcNode: { ...bootcNode, stagedDigest, idle: { activity: "Staged" } } };
  }
  if (bootcNode.idle?.activity !== "Rebooting")
    return { ...at, node: { ...node, ready: false }, bootcNode: { ...bootcNode, idle: { activity } } };
  const { booted, staged, rollback } = afterReboot(images);
  return {
    ...at,
    bootcNode: { ...bootcNode, bootedDigest: booted, rollbackDigest: rollback, stagedDigest: staged, idle },
  };
}
