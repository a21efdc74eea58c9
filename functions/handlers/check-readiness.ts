import { isCounted } from "../domain/work-done.ts";
import { claimOf } from "../domain/claim.ts";
import { isOverdue } from "../domain/hand-over.ts";
import { assessReadiness } from "../domain/readiness.ts";
import { staleDigest } from "../domain/stale-digest.ts";
import { lambda, type Task } from "../task.ts";

/** Says whether a workload has settled, is still moving, or ran out of time. Changes nothing. */
export const checkReadiness: Task<"CheckReadiness"> = async ({ cluster, now }, input) => {
  const claim = claimOf(await cluster.read(input.workload), input.execution, input.image);
  if (claim.kind === "lost") return { kind: "superseded", waitSeconds: 0, reason: claim.reason };
  const { workload, inFlight } = claim;
  if (inFlight.phase === "rollback" || isCounted(workload.bookkeeping, inFlight)) {
    return { kind: "expired", waitSeconds: 0, reason: "its rollback was interrupted" };
  }
  const running = inFlight.phase === "restart" ? await cluster.runningDigests(workload) : [];
  const stale = staleDigest(workload, running);
  const readiness = assessReadiness(workload.rollout, inFlight, workload.policy, now(), stale);
  if (readiness.kind === "progressing" && isOverdue(input.executionStartedAt, now()))
    return { ...readiness, kind: "handover" };
  return { waitSeconds: 0, reason: "every replica runs it and is ready", ...readiness };
};

export const handler = lambda(checkReadiness);
