import type { Task } from "../contract/task.ts";
import { lambda } from "../runtime/lambda.ts";
import { checkHookJob, readHookClaim } from "../workflows/workload-update/run-hook.ts";

/** Reports whether the Job of a hook has ended, and how: the update continues, or ends before anything was applied. */
export const checkHook: Task<"CheckHook"> = async (ports, input) => {
  const read = await readHookClaim(ports, input);
  return read.kind === "held" ? checkHookJob(ports, read, input) : read;
};

export const handler = lambda({ checkHook });
