import type { PoolTaskOutput } from "../pool-contract.ts";
import { poolLambda, type PoolTask } from "../task.ts";

const outcomes: Readonly<Record<string, PoolTaskOutput<"ReleasePool">["kind"]>> = {
  settled: "settled",
  emptied: "settled",
  halted: "halted",
};

/**
 * Lets go of a pool that needs no execution for now; of one that was seen to be deleted and without nodes, for good. One that was
 * deleted since is the next poll's to empty.
 */
export const releasePool: PoolTask<"ReleasePool"> = async (
  { nodePools },
  { pool: ref, execution, verdict, reason },
) => {
  const kind = outcomes[verdict] ?? "held";
  const pool = await nodePools.read(ref);
  if (pool === null) return { kind, reason };
  if (pool.execution !== null && pool.execution !== execution) {
    return { kind: "superseded", reason: `the claim is held by ${pool.execution}` };
  }
  await nodePools.release(pool, pool.isBeingDeleted && verdict === "emptied");
  return { kind, reason };
};

export const handler = poolLambda(releasePool);
