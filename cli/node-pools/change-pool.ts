import type { NodePool } from "../../functions/domain/node-pool/pool/node-pool.ts";
import type { NodePools } from "../../functions/ports/node-pools.ts";
import { retryOnConflict } from "../../functions/workflows/retry-on-conflict.ts";
import { NotFound } from "../exit-codes.ts";
import { formatPoolName } from "./name.ts";

/**
 * Writes to a pool. If it was changed meanwhile, it is read again. Throws `NotFound` if the pool was deleted, and what
 * `retryOnConflict` throws.
 */
function changePool<Result>(
  nodePools: Pick<NodePools, "read">,
  found: NodePool,
  write: (pool: NodePool) => Promise<Result>,
): Promise<Result> {
  return retryOnConflict({ attempts: 5, current: found, read: () => readPoolOrThrow(nodePools, found), write });
}

/** Reads a pool again. Throws `NotFound` if it was deleted. */
export async function readPoolOrThrow(nodePools: Pick<NodePools, "read">, found: NodePool): Promise<NodePool> {
  const current = await nodePools.read(found);
  if (current === null) throw new NotFound(`${formatPoolName(found)} has been deleted`);
  return current;
}

/** Sets whether a pool is paused, unless it already is, and reports whether anything was written. */
export function changePaused(
  nodePools: Pick<NodePools, "read" | "setPaused">,
  found: NodePool,
  paused: boolean,
): Promise<boolean> {
  return changePool(nodePools, found, async (pool) => {
    if (pool.spec.paused === paused) return false;
    await nodePools.setPaused(pool, paused);
    return true;
  });
}

/** Writes a request. */
export function writePoolRequest(
  nodePools: Pick<NodePools, "read" | "request">,
  found: NodePool,
  text: string,
): Promise<void> {
  return changePool(nodePools, found, (pool) => nodePools.request(pool, text));
}
