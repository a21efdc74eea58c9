import { executionName } from "../execution-name.ts";
import { lambda, type Task } from "../task.ts";

/** Starts the execution that goes on where this one ends; it takes the claim over by itself. */
export const handOver: Task<"HandOver"> = async ({ executions }, { execution, ...input }) => {
  const { cluster, workload, image, strategy, digests } = input;
  const next = executionName(workload, image, `after ${execution}`);
  await executions.start(next, { cluster, workload, image, strategy, digests, recovering: true });
  return { kind: "handed-over", reason: `goes on as ${next}` };
};

export const handler = lambda(handOver);
