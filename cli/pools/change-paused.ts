import type { NodePool } from "../../functions/domain/node-pool/types.ts";
import type { NodePools } from "../../functions/ports/node-pools.ts";
import { NotFound } from "../exit.ts";
import { formatPoolName } from "./name.ts";

const attempts = 5;

/**
 * Sets whether a pool is paused; where somebody else was faster, reads it again and looks whether it still has to. Says
 * whether anything was written. Throws `NotFound` where it has gone meanwhile, `Conflict` where somebody was faster every
 * time, and what the cluster throws.
 */
export async function changePaused(
  nodePools: Pick<NodePools, "read" | "setPaused">,
  found: NodePool,
  paused: boolean,
): Promise<boolean> {
  let pool: NodePool | null = found;
  for (let attempt = 1; pool !== null; attempt += 1) {
    if (pool.spec.paused === paused) return false;
    try {
      await nodePools.setPaused(pool, paused);
      return true;
    } catch (error) {
      if (attempt === attempts || (error as Error).name !== "Conflict") throw error;
      pool = await nodePools.read(found);
    }
  }
  throw new NotFound(`${formatPoolName(found)} has been deleted`);
}
