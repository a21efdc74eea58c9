import { executionName } from "../workflows/execution-name.ts";
import type { Task } from "../contract/task.ts";
import { lambda } from "../runtime/lambda.ts";

/** Starts the execution that continues after this one and adopts its claim. */
export const continueAsNew: Task<"ContinueAsNew"> = async ({ executions }, { execution, ...input }) => {
  const { cluster, workload, target, strategy, digests } = input;
  const next = executionName(workload, target, `after ${execution}`);
  await executions.start(next, { cluster, workload, target, strategy, digests, adopting: true });
  return { kind: "continued", reason: `continued as ${next}` };
};

export const handler = lambda({ continueAsNew });
