import type { PoolTask } from "../contract/task.ts";
import { poolLambda } from "../runtime/lambda.ts";
import { acquireClaim } from "../workflows/node-pool-rollout/claim.ts";
import { claimedResult, supersededResult } from "../workflows/node-pool-rollout/step-result.ts";

/** Claims a pool for this execution, or takes it over from the previous one. */
export const claimPool: PoolTask<"ClaimPool"> = async (ports, input) => {
  const claim = await acquireClaim(ports, input);
  return claim.kind === "lost" ? supersededResult(claim.reason, 0) : claimedResult(input);
};

export const handler = poolLambda({ claimPool });
