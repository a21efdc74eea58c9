import { executionName } from "../execution-name.ts";
import { lambda, type Task } from "../task.ts";

/** Starts the execution that goes on where this one ends; it takes the claim over by itself. */
export const handOver: Task<"HandOver"> = async ({ executions }, { execution, cluster, workload, image, strategy }) => {
  const next = executionName(workload, image, `after ${execution}`);
  await executions.start(next, { cluster, workload, image, strategy, recovering: true });
  return { kind: "handed-over", reason: `goes on as ${next}` };
};

export const handler = lambda(handOver);
