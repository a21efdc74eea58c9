import type { NodePool } from "../../functions/domain/node-pool/types.ts";
import type { NodePools } from "../../functions/ports/node-pools.ts";
import { againOnConflict } from "../again-on-conflict.ts";
import { formatPoolName } from "./name.ts";

/**
 * Sets whether a pool is paused; where somebody else was faster, looks whether it still has to. Says whether anything was
 * written. Throws what `againOnConflict` throws.
 */
export async function changePaused(
  nodePools: Pick<NodePools, "read" | "setPaused">,
  found: NodePool,
  paused: boolean,
): Promise<boolean> {
  const write = async (pool: NodePool): Promise<boolean> => {
    if (pool.spec.paused === paused) return false;
    await nodePools.setPaused(pool, paused);
    return true;
  };
  return againOnConflict(formatPoolName(found), found, write, () => nodePools.read(found));
}
