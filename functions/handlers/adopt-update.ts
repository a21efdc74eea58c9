import type { Task } from "../contract/task.ts";
import { adopt } from "../domain/workload/update/adopt.ts";
import { lambda } from "../runtime/lambda.ts";
import { deleteStuckPods } from "../workflows/workload-update/start-update.ts";

/** Adopts the claim of an execution that no longer runs, or of a person who set its annotations manually. */
export const adoptUpdate: Task<"AdoptUpdate"> = async ({ cluster, verifier, now }, input) => {
  const { workload: ref, target, execution, strategy, verification } = input;
  const workload = await cluster.read(ref);
  const { kind, reason, change, freesPods } = adopt(
    workload,
    execution,
    target,
    now(),
    strategy === "abort",
    verification,
    verifier.scopes,
  );
  if (workload !== null && change !== null) await cluster.change(workload, change);
  if (workload !== null && freesPods) await deleteStuckPods({ cluster }, workload, workload);
  return { kind, waitSeconds: 0, reason };
};

export const handler = lambda({ adoptUpdate });
