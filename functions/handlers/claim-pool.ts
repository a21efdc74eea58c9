import type { PoolTask } from "../contract/task.ts";
import { poolLambda } from "../runtime/lambda.ts";
import { acquireClaim } from "../workflows/node-pool-rollout/claim.ts";

/** A function runs for at most 60 s. After this time, no function of a lost execution still runs. */
const previousExecutionGraceSeconds = 70;

/** Claims a pool for this execution, or takes it over from the previous one. */
export const claimPool: PoolTask<"ClaimPool"> = async (ports, input) => {
  const claim = await acquireClaim(ports, input);
  const common = { rounds: 0, drains: false, commands: false };
  if (claim.kind === "lost") return { ...common, kind: "superseded", waitSeconds: 0, reason: claim.reason };
  const { previousExecution, adopting } = input;
  const reason = previousExecution === "" ? "new rollout" : `continues ${previousExecution}`;
  return { ...common, kind: "claimed", waitSeconds: adopting ? previousExecutionGraceSeconds : 0, reason };
};

export const handler = poolLambda(claimPool);
