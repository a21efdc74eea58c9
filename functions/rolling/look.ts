import { type Tick, tickOf } from "../domain/node-pool/tick.ts";
import { aimed, type Resolution } from "../domain/node-pool/target.ts";
import type { NodePool, PoolNode } from "../domain/node-pool/types.ts";
import type { Ports } from "../task.ts";

/** All that was read of a pool at one time, and what follows from it. */
export interface Look {
  /** As it stands in the cluster: what is written goes by its `resourceVersion`. */
  readonly pool: NodePool;
  readonly tick: Tick;
  /** Why the pull secret could not be read; null where it could, and where none is named. */
  readonly secretProblem: string | null;
}

export interface Read {
  readonly pool: NodePool;
  readonly pools: readonly NodePool[];
  readonly nodes: readonly PoolNode[];
  /** What a registry has just said of the pool's tag; null where it was not asked. */
  readonly resolution: Resolution | null;
}

/** Works out where a pool stands. Reads its pull secret, where it names one, and nothing else. Throws what that throws. */
export async function lookAt(
  { nodePools, now, tagResolutionSeconds }: Pick<Ports, "nodePools" | "now" | "tagResolutionSeconds">,
  { pool, pools, nodes, resolution }: Read,
): Promise<Look> {
  const { pullSecretRef } = pool.spec;
  const secret = pullSecretRef === null ? null : await nodePools.pullSecret(pullSecretRef);
  const at = now();
  const next = aimed(pool, resolution, at, tagResolutionSeconds);
  const pullSecretHash = secret?.kind === "found" ? secret.hash : null;
  return {
    pool,
    tick: tickOf({ pool: next, pools, nodes, pullSecretHash, now: at }),
    secretProblem: secret?.kind === "problem" ? secret.reason : null,
  };
}
