import type { NodePool } from "../../functions/domain/node-pool/pool/node-pool.ts";
import type { NodePools } from "../../functions/ports/node-pools.ts";
import { retryOnConflict } from "../../functions/workflows/retry-on-conflict.ts";
import { NotFound } from "../exit-codes.ts";
import { formatPoolName } from "./name.ts";

/**
 * Sets whether a pool is paused, unless it already is, and reports whether anything was written. If the pool was changed meanwhile,
 * it is read again. Throws `NotFound` if the pool was deleted, and what `retryOnConflict` throws.
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
  const read = async (): Promise<NodePool> => {
    const current = await nodePools.read(found);
    if (current === null) throw new NotFound(`${formatPoolName(found)} has been deleted`);
    return current;
  };
  return retryOnConflict({ attempts: 5, current: found, read, write });
}
