import { assessCanary } from "../domain/workload/canary/canary.ts";
import { checkClaim } from "../domain/workload/claim.ts";
import type { Task } from "../contract/task.ts";
import { lambda } from "../runtime/lambda.ts";
import { waitResult } from "../workflows/workload-update/assess-update.ts";

/** Reports whether the canary is ready, progressing, or past its deadline. Changes nothing. */
export const checkCanary: Task<"CheckCanary"> = async ({ cluster, now }, input) => {
  const claim = checkClaim(await cluster.read(input.workload), input.execution, input.image);
  if (claim.kind === "lost") return { kind: "superseded", waitSeconds: 0, reason: claim.reason };
  const { workload, inFlight } = claim;
  const { phase } = inFlight;
  if (phase === "rollout") return { kind: "promoted", waitSeconds: 0, reason: "already promoted" };
  if (phase === "rollback") return { kind: "expired", waitSeconds: 0, reason: "its rollback was interrupted" };
  const verdict = assessCanary(workload, inFlight, now());
  if (verdict.kind === "progressing" || verdict.kind === "waiting")
    return waitResult(verdict, input.executionStartedAt, now());
  return { waitSeconds: 0, reason: "all canary replicas are ready", ...verdict };
};

export const handler = lambda(checkCanary);
