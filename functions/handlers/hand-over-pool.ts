import { poolExecutionName } from "../execution-name.ts";
import { poolLambda, type PoolTask } from "../task.ts";

/** Starts the execution that goes on where this one ends; it takes the claim over by itself. */
export const handOverPool: PoolTask<"HandOverPool"> = async ({ poolExecutions }, { cluster, pool, execution }) => {
  const next = poolExecutionName(pool, `after ${execution}`);
  await poolExecutions.start(next, { cluster, pool, after: execution, recovering: false });
  return { kind: "handed-over", reason: `goes on as ${next}` };
};

export const handler = poolLambda(handOverPool);
