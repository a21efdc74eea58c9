import { poolExecutionName } from "../workflows/execution-name.ts";
import type { PoolTask } from "../contract/task.ts";
import { poolLambda } from "../runtime/lambda.ts";

/** Starts the execution that continues this one and takes over its claim. */
export const continuePoolAsNew: PoolTask<"ContinuePoolAsNew"> = async (
  { poolExecutions },
  { cluster, pool, execution },
) => {
  const next = poolExecutionName(pool, `after ${execution}`);
  await poolExecutions.start(next, { cluster, pool, previousExecution: execution, adopting: false });
  return { kind: "continued", reason: `continued as ${next}` };
};

export const handler = poolLambda({ continuePoolAsNew });
