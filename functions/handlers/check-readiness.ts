import { recordedRevert } from "../domain/workload/completion.ts";
import { checkClaim } from "../domain/workload/claim.ts";
import { needsContinuation } from "../domain/execution/history-limit.ts";
import { assessWorkload } from "../domain/workload/readiness.ts";
import { staleDigestReason } from "../domain/workload/digest/compare-digests.ts";
import type { Task } from "../contract/task.ts";
import { lambda } from "../runtime/lambda.ts";

/** Reports whether a workload is ready, progressing, or past its deadline. Changes nothing. */
export const checkReadiness: Task<"CheckReadiness"> = async ({ cluster, now }, input) => {
  const claim = checkClaim(await cluster.read(input.workload), input.execution, input.image);
  if (claim.kind === "lost") return { kind: "superseded", waitSeconds: 0, reason: claim.reason };
  const { workload, inFlight } = claim;
  if (inFlight.phase === "rollback" || recordedRevert(workload.updateRecord, inFlight) !== null) {
    return { kind: "expired", waitSeconds: 0, reason: "its rollback was interrupted" };
  }
  const running = inFlight.phase === "restart" ? await cluster.runningDigests(workload) : [];
  const readiness = assessWorkload(workload, inFlight, now(), staleDigestReason(workload, running));
  if (readiness.kind === "progressing" && needsContinuation(input.executionStartedAt, now()))
    return { ...readiness, kind: "continue" };
  return { waitSeconds: 0, reason: "all replicas are updated and ready", ...readiness };
};

export const handler = lambda(checkReadiness);
