import { digestOf } from "../../functions/domain/node-pool/classify.ts";
import { managedLabel } from "../../functions/domain/node-pool/names.ts";
import type { BootcNode, KubeNode, PoolNode } from "../../functions/domain/node-pool/types.ts";
import type { FakeNodePools } from "./fake-node-pools.ts";

/** Every agent takes its next step towards what its BootcNode asks for: stage, wait for leave, reboot, come back. */
export function turnAgents(nodePools: FakeNodePools, names: readonly string[]): void {
  for (const name of names) {
    const at = nodePools.node(name);
    const { node, bootcNode } = at;
    if (node === null || bootcNode === null || !Object.hasOwn(node.labels, managedLabel)) continue;
    nodePools.putNode(turn(at, node, bootcNode));
  }
}

function turn(at: PoolNode, node: KubeNode, bootcNode: BootcNode): PoolNode {
  const desired = digestOf(bootcNode.desiredImage);
  const of = { ...bootcNode, bootedDigest: bootcNode.bootedDigest ?? "sha256:first", isObserved: true };
  const idle = { activity: null };
  if (of.bootedDigest === desired) return { ...at, node: { ...node, ready: true }, bootcNode: { ...of, idle } };
  if (of.stagedDigest !== desired) {
    return { ...at, bootcNode: { ...of, stagedDigest: desired, idle: { activity: "Staged" } } };
  }
  if (of.desiredImageState === "Staged") return { ...at, bootcNode: of };
  if (of.idle?.activity !== "Rebooting") {
    return { ...at, node: { ...node, ready: false }, bootcNode: { ...of, idle: { activity: "Rebooting" } } };
  }
  return {
    ...at,
    bootcNode: { ...of, bootedDigest: desired, rollbackDigest: of.bootedDigest, stagedDigest: null, idle },
  };
}
