import type { Task } from "../contract/task.ts";
import { lambda } from "../runtime/lambda.ts";
import { continueRestore, startRestore } from "../workflows/workload-update/restore-release.ts";
import { superseded } from "../workflows/workload-update/wait-result.ts";

/** Restores the whole pod template of an earlier release or, after it failed, the one before it. */
export const restoreRelease: Task<"RestoreRelease"> = async (ports, input) => {
  const workload = await ports.cluster.read(input.workload);
  if (workload === null) return superseded("workload not found (deleted or recreated)");
  const { inFlight } = workload;
  if (inFlight?.release !== undefined) return continueRestore(ports, workload, inFlight, input);
  if (!input.adopting) return startRestore(ports, workload, input);
  return superseded("the release is no longer in flight");
};

export const handler = lambda({ restoreRelease });
