import { poolLambda, type PoolTask } from "../task.ts";

/** A function lives for a minute at most: after so long nothing of an execution that was lost is still at work. */
const formerSeconds = 70;

/** Takes a pool for this execution, or goes on where another has left it. Whoever finds it taken by a third touches nothing. */
export const claimPool: PoolTask<"ClaimPool"> = async ({ nodePools }, { pool: ref, after, recovering, execution }) => {
  const rest = { ticks: 0, drains: false, commands: false };
  const pool = await nodePools.read(ref);
  if (pool === null) return { ...rest, kind: "superseded", waitSeconds: 0, reason: "the pool is gone" };
  const isOwn = pool.execution === execution;
  const isFree = pool.execution === null && !recovering;
  if (!isOwn && !isFree && pool.execution !== after) {
    const reason = `the claim is held by ${pool.execution ?? "nobody any more"}`;
    return { ...rest, kind: "superseded", waitSeconds: 0, reason };
  }
  if (!isOwn) await nodePools.claim(pool, execution);
  const waitSeconds = recovering ? formerSeconds : 0;
  return { ...rest, kind: "claimed", waitSeconds, reason: `goes on ${after === "" ? "alone" : `after ${after}`}` };
};

export const handler = poolLambda(claimPool);
