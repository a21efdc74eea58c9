import type { PoolStepInput } from "../../contract/node-pool-rollout.ts";
import type { NodePool } from "../../domain/node-pool/pool/node-pool.ts";
import type { Ports } from "../../contract/ports.ts";

type ClaimPorts = Pick<Ports, "nodePools">;

type LostClaim = { readonly kind: "lost"; readonly reason: string };

export type PoolClaim =
  | { readonly kind: "held"; readonly pool: NodePool; readonly pools: readonly NodePool[] }
  | LostClaim;

/** Checks that the execution still holds its pool, which every step does before it writes. Reads all pools because of `dependsOn`. */
export async function checkPoolClaim(
  { nodePools }: ClaimPorts,
  { pool: ref, execution }: Pick<PoolStepInput, "pool" | "execution">,
): Promise<PoolClaim> {
  const pools = await nodePools.list();
  const pool = pools.find(({ uid }) => uid === ref.uid);
  if (pool === undefined) return lostClaim("the pool was deleted or recreated");
  return pool.execution === execution ? { kind: "held", pool, pools } : heldBy(pool);
}

/** Claims a pool, or takes it over from the previous execution. Changes nothing if a third execution holds it. */
export async function acquireClaim(
  { nodePools }: ClaimPorts,
  { pool: ref, execution, previousExecution, adopting }: PoolStepInput,
): Promise<{ readonly kind: "held" } | LostClaim> {
  const pool = await nodePools.read(ref);
  if (pool === null) return lostClaim("the pool was deleted or recreated");
  if (pool.execution === execution) return { kind: "held" };
  const isFree = pool.execution === null && !adopting;
  if (!isFree && pool.execution !== previousExecution) return heldBy(pool);
  await nodePools.claim(pool, execution);
  return { kind: "held" };
}

/**
 * Releases a claim, if it is still held. `isEmpty` says that the pool was seen without nodes while it was being deleted: only then
 * is its finalizer removed. A pool that was deleted later is emptied by the execution that the next poll starts.
 */
export async function releaseClaim(
  { nodePools }: ClaimPorts,
  { pool: ref, execution }: Pick<PoolStepInput, "pool" | "execution">,
  isEmpty: boolean,
): Promise<{ readonly kind: "released" } | LostClaim> {
  const pool = await nodePools.read(ref);
  if (pool === null) return { kind: "released" };
  if (pool.execution !== null && pool.execution !== execution) return heldBy(pool);
  await nodePools.release(pool, pool.isBeingDeleted && isEmpty);
  return { kind: "released" };
}

function heldBy({ execution }: NodePool): LostClaim {
  return lostClaim(execution === null ? "the claim was released" : `the claim is held by ${execution}`);
}

function lostClaim(reason: string): LostClaim {
  return { kind: "lost", reason };
}
