import { poolLambda, type PoolTask } from "../task.ts";

const outcomes = { settled: "settled", halted: "halted" } as const;

/** Lets go of a pool that needs no execution for now; of one that is deleted and has no nodes left, for good. */
export const releasePool: PoolTask<"ReleasePool"> = async (
  { nodePools },
  { pool: ref, execution, verdict, reason },
) => {
  const kind = verdict === "settled" || verdict === "halted" ? outcomes[verdict] : "held";
  const pool = await nodePools.read(ref);
  if (pool === null) return { kind, reason };
  if (pool.execution !== null && pool.execution !== execution) {
    return { kind: "superseded", reason: `the claim is held by ${pool.execution}` };
  }
  await nodePools.release(pool, pool.isBeingDeleted && kind === "settled");
  return { kind, reason };
};

export const handler = poolLambda(releasePool);
