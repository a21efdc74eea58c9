import { byName } from "../../functions/domain/node-pool/pool/membership.ts";
import type { Resolution } from "../../functions/domain/node-pool/pool/target.ts";
import type { PoolNode } from "../../functions/domain/node-pool/node/bootc-node.ts";
import type { NodePool } from "../../functions/domain/node-pool/pool/node-pool.ts";
import type { NodePools } from "../../functions/ports/node-pools.ts";
import { listFullNodes, observePool, type PoolView } from "../../functions/workflows/node-pool-rollout/observe-pool.ts";

/** A pool now: its status may be older. */
export interface ObservedPool extends PoolView {
  /** The result of resolving its tag; null if it was not resolved. */
  readonly resolution: Resolution | null;
}

interface Options {
  readonly nodePools: Pick<NodePools, "list" | "listNodes" | "etcdNodes" | "listPods" | "pullSecret">;
  readonly now: () => Date;
  /** Returns null if the pool's tag need not be resolved. */
  readonly resolve: (pool: NodePool) => Promise<Resolution | null>;
}

const none = { nodes: [], etcdNodes: new Set<string>() };

/** Observes every pool, sorted by name. A pull secret that is not read counts as unchanged. Throws the cluster's errors. */
export async function observePools({ nodePools, now, resolve }: Options): Promise<readonly ObservedPool[]> {
  const pools = await nodePools.list();
  const { nodes, etcdNodes } = pools.length === 0 ? none : await listFullNodes(nodePools);
  const resolutions = await Promise.all(pools.map(resolve));
  const observe = async (pool: NodePool, index: number): Promise<ObservedPool> => {
    const resolution = resolutions[index] ?? null;
    // The next resolution of the tag is not shown, so its cache time does not matter.
    const ports = { nodePools: keepUnreadSecret(nodePools, pool, nodes), now, tagCacheSeconds: 0 };
    return { ...(await observePool(ports, { pool, pools, nodes, etcdNodes, resolution })), resolution };
  };
  return (await Promise.all(pools.map(observe))).sort((a, b) => byName(a.pool, b.pool));
}

/** Replaces a pull secret that is not read by the hash that the pool's nodes received last. */
function keepUnreadSecret(
  nodePools: Pick<NodePools, "pullSecret" | "listPods">,
  { uid }: NodePool,
  nodes: readonly PoolNode[],
): Pick<NodePools, "pullSecret" | "listPods"> {
  return {
    listPods: (node) => nodePools.listPods(node),
    async pullSecret(ref) {
      const secret = await nodePools.pullSecret(ref);
      if (secret.kind !== "unread") return secret;
      const own = nodes.filter(({ bootcNode }) => bootcNode?.owner?.uid === uid);
      const hash = own.map(({ bootcNode }) => bootcNode?.pullSecretHash ?? null).find((one) => one !== null);
      return hash === undefined ? secret : { kind: "found", hash, logins: [] };
    },
  };
}
