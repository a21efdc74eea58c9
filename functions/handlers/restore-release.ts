import type { Task } from "../contract/task.ts";
import { lambda } from "../runtime/lambda.ts";
import { continueRestore, startRestore } from "../workflows/workload-update/restore-release.ts";

/** Restores the whole pod template of an earlier release or, after it failed, the one before it. */
export const restoreRelease: Task<"RestoreRelease"> = async (ports, input) => {
  const workload = await ports.cluster.read(input.workload);
  const { inFlight } = workload ?? { inFlight: null };
  if (workload === null) {
    return { kind: "superseded", waitSeconds: 0, reason: "workload not found (deleted or recreated)" };
  }
  if (inFlight?.release !== undefined) return continueRestore(ports, workload, inFlight, input);
  if (!input.adopting) return startRestore(ports, workload, input);
  return { kind: "superseded", waitSeconds: 0, reason: "the release is no longer in flight" };
};

export const handler = lambda(restoreRelease);
