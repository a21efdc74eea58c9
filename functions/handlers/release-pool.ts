import type { PoolTaskOutput } from "../contract/node-pool-rollout.ts";
import type { PoolTask } from "../contract/task.ts";
import { poolLambda } from "../runtime/lambda.ts";
import { releaseClaim } from "../workflows/node-pool-rollout/claim.ts";

const results: Readonly<Record<string, PoolTaskOutput<"ReleasePool">["kind"]>> = {
  completed: "completed",
  emptied: "completed",
  halted: "halted",
};

/** Releases a pool that needs no execution for now. Removes the finalizer of a deleted pool that has no nodes left. */
export const releasePool: PoolTask<"ReleasePool"> = async (ports, { verdict, reason, ...input }) => {
  const claim = await releaseClaim(ports, input, verdict === "emptied");
  return claim.kind === "lost"
    ? { kind: "superseded", reason: claim.reason }
    : { kind: results[verdict] ?? "held", reason };
};

export const handler = poolLambda({ releasePool });
