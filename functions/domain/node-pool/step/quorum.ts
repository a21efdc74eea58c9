import type { Member, PoolNode } from "../node/bootc-node.ts";
import { holdsSlot, limitToOne } from "./slots.ts";

/** Labels of the nodes that run the API server or etcd, which lose their quorum if several are away. Etcd may run on others too, as pods. */
const quorumLabels = ["control-plane", "master", "etcd"].map((role) => `node-role.kubernetes.io/${role}`);

/** Reports whether a node may be one of those. */
export function isInQuorum({ name, node }: PoolNode, etcdNodes: ReadonlySet<string>): boolean {
  if (node === null) return false;
  return etcdNodes.has(name) || quorumLabels.some((label) => Object.hasOwn(node.labels, label));
}

/**
 * Returns the candidates, with at most one node of the control plane: none while another one of the cluster, also of another pool,
 * holds a slot or is not Ready.
 */
export function limitToQuorum(
  candidates: readonly Member[],
  nodes: readonly PoolNode[],
  etcdNodes: ReadonlySet<string>,
  image: string,
): readonly Member[] {
  const isOf = (one: PoolNode) => isInQuorum(one, etcdNodes);
  const isAnyAway = nodes.some((one) => isOf(one) && (holdsSlot(one) || one.node?.ready === false));
  return limitToOne(candidates, image, { isOf, isBusy: isAnyAway });
}
