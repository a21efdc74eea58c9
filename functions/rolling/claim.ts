import type { PoolStepInput } from "../pool-contract.ts";
import type { NodePool } from "../domain/node-pool/types.ts";
import type { Ports } from "../task.ts";

export type PoolClaim =
  | { readonly kind: "held"; readonly pool: NodePool; readonly pools: readonly NodePool[] }
  | { readonly kind: "lost"; readonly reason: string };

/** Whether the execution still holds its pool. Every step asks before it writes; it reads all pools, since one may wait for another. */
export async function claimedPool(
  { nodePools }: Pick<Ports, "nodePools">,
  { pool: ref, execution }: Pick<PoolStepInput, "pool" | "execution">,
): Promise<PoolClaim> {
  const pools = await nodePools.list();
  const pool = pools.find(({ uid }) => uid === ref.uid);
  if (pool === undefined) return lost("the pool is gone, or another has taken its name");
  if (pool.execution === execution) return { kind: "held", pool, pools };
  return lost(`the claim is held by ${pool.execution ?? "nobody"}`);
}

function lost(reason: string): PoolClaim {
  return { kind: "lost", reason };
}
