import type { Task } from "../contract/task.ts";
import { lambda } from "../runtime/lambda.ts";
import { readHookClaim, startHook } from "../workflows/workload-update/run-hook.ts";

/** Creates the Job of the hook that an update waits for. Its name is built from what it does, so that it is created once. */
export const runHook: Task<"RunHook"> = async (ports, input) => {
  const read = await readHookClaim(ports, input);
  return read.kind === "held" ? startHook(ports, read, input) : read;
};

export const handler = lambda({ runHook });
