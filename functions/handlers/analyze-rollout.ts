import type { Task } from "../contract/task.ts";
import { checkClaim } from "../domain/workload/update/claim.ts";
import { abortedUpdate } from "../domain/workload/update/decided-update.ts";
import { lambda } from "../runtime/lambda.ts";
import { bakeUpdate } from "../workflows/workload-update/bake-update.ts";
import { observeClaim } from "../workflows/workload-update/observe-claim.ts";
import { superseded } from "../workflows/workload-update/wait-result.ts";

/** Watches an update whose replicas are all ready, and measures it, until its bake time is over or it fails. */
export const analyzeRollout: Task<"AnalyzeRollout"> = async (ports, input) => {
  const held = checkClaim(await ports.cluster.read(input.workload), input.execution, input.target);
  const aborted = held.kind === "held" ? abortedUpdate(held.workload) : null;
  if (aborted !== null) return { ...aborted, waitSeconds: 0 };
  const claim = await observeClaim(ports, held);
  if (claim.kind === "lost") return superseded(claim.reason);
  return bakeUpdate(ports, claim, input.executionStartedAt);
};

export const handler = lambda({ analyzeRollout });
