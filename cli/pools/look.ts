import { byName } from "../../functions/domain/node-pool/membership.ts";
import { aimed, type Resolution } from "../../functions/domain/node-pool/target.ts";
import { type Tick, tickOf } from "../../functions/domain/node-pool/tick.ts";
import type { NodePool, PoolNode } from "../../functions/domain/node-pool/types.ts";
import type { NodePools } from "../../functions/ports/node-pools.ts";

/** A pool as it stands now, which its status may not say yet. */
export interface PoolLook {
  readonly pool: NodePool;
  readonly tick: Tick;
  /** What a registry has just said of its tag; null where it was not asked. */
  readonly resolution: Resolution | null;
}

interface Sight {
  readonly nodePools: Pick<NodePools, "list" | "nodes" | "pullSecret">;
  readonly now: () => Date;
  /** null where no registry need be asked of the pool. */
  readonly resolve: (pool: NodePool) => Promise<Resolution | null>;
}

/** Looks at every pool, in the order of names. A pull secret that is not read is taken for unchanged. Throws what the cluster throws. */
export async function lookAtPools({ nodePools, now, resolve }: Sight): Promise<readonly PoolLook[]> {
  const pools = await nodePools.list();
  const nodes = pools.length === 0 ? [] : await nodePools.nodes("whole");
  const resolutions = await Promise.all(pools.map(resolve));
  const look = async (pool: NodePool, index: number): Promise<PoolLook> => {
    const resolution = resolutions[index] ?? null;
    const hash = await hashOf(nodePools, pool, nodes);
    return { pool, resolution, tick: tickAt(now(), { pool, pools, nodes, resolution, hash }) };
  };
  return (await Promise.all(pools.map(look))).sort((a, b) => byName(a.pool, b.pool));
}

interface Read extends Pick<PoolLook, "pool" | "resolution"> {
  readonly pools: readonly NodePool[];
  readonly nodes: readonly PoolNode[];
  readonly hash: string | null;
}

function tickAt(now: Date, { pool, pools, nodes, resolution, hash }: Read): Tick {
  // When a tag is asked for again is the poll's affair, and not shown.
  return tickOf({ pool: aimed(pool, resolution, now, 0), pools, nodes, pullSecretHash: hash, now });
}

async function hashOf(
  nodePools: Pick<NodePools, "pullSecret">,
  { uid, spec: { pullSecretRef } }: NodePool,
  nodes: readonly PoolNode[],
): Promise<string | null> {
  const secret = pullSecretRef === null ? null : await nodePools.pullSecret(pullSecretRef);
  if (secret?.kind === "unread") return hashBefore(uid, nodes);
  return secret?.kind === "found" ? secret.hash : null;
}

/** What the pool's nodes were given last. */
function hashBefore(uid: string, nodes: readonly PoolNode[]): string | null {
  const own = nodes.filter(({ bootcNode }) => bootcNode?.owner?.uid === uid);
  return own.map(({ bootcNode }) => bootcNode?.pullSecretHash ?? null).find((hash) => hash !== null) ?? null;
}
