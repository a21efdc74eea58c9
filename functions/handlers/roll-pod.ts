import type { Task } from "../contract/task.ts";
import { checkClaim } from "../domain/workload/update/claim.ts";
import { lambda } from "../runtime/lambda.ts";
import { rollLeftPod } from "../workflows/workload-update/left-pods.ts";
import { rollNextPod } from "../workflows/workload-update/roll-pod.ts";
import { superseded } from "../workflows/workload-update/wait-result.ts";

/** Evicts the next pod of a workload whose controller replaces none. Its controller recreates it from the current template. */
export const rollPod: Task<"RollPod"> = async (ports, input) => {
  const workload = await ports.cluster.read(input.workload);
  const claim = checkClaim(workload, input.execution, input.target);
  if (claim.kind === "lost")
    return (await rollLeftPod(ports, workload, input.executionStartedAt)) ?? superseded(claim.reason);
  const { phase } = claim.inFlight;
  const kind = phase === "canary" ? phase : phase === "rollback" ? "restored" : "rolled";
  return { kind, ...(await rollNextPod(ports, claim)) };
};

export const handler = lambda({ rollPod });
