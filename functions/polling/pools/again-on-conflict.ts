import { isConflict } from "../../conflict.ts";
import type { PoolRef } from "../../ports/node-pools.ts";
import { survey } from "../../rolling/survey.ts";
import type { Ports } from "../../task.ts";
import { type PolledPool, pollPool } from "./poll-pool.ts";

const mostLooks = 4;

/**
 * Looks anew at a pool that was written to while a poll looked at it: people, and the execution that leads it, may do so at any
 * time. null where it is gone by now; throws the error where it is no conflict, or there was one each time.
 */
export async function againOnConflict(ports: Ports, ref: PoolRef, error: Error, looks = 1): Promise<PolledPool | null> {
  if (!isConflict(error) || looks === mostLooks) throw error;
  const pools = await ports.nodePools.list();
  const pool = pools.find(({ uid }) => uid === ref.uid);
  if (pool === undefined) return null;
  return pollPool(ports, pool, survey(ports, pools)).catch((next: Error) =>
    againOnConflict(ports, ref, next, looks + 1),
  );
}
