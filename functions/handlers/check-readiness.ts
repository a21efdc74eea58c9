import { isCounted } from "../domain/bookkeeping.ts";
import { claimOf } from "../domain/claim.ts";
import { assessReadiness } from "../domain/readiness.ts";
import { parseRfc3339, secondsBetween } from "../domain/time.ts";
import { lambda, type Task } from "../task.ts";

/** Long before 25,000 history events: a day of checks once a minute is about 13,000. */
const longestExecutionSeconds = 86_400;

/** Says whether a workload has settled, is still moving, or ran out of time. Changes nothing. */
export const checkReadiness: Task<"CheckReadiness"> = async ({ cluster, now }, input) => {
  const workload = await cluster.read(input.workload);
  const claim = claimOf(workload, input.execution, input.image);
  if (workload === null || claim.kind === "lost") {
    return {
      kind: "superseded",
      waitSeconds: 0,
      reason: claim.kind === "lost" ? claim.reason : "the workload is gone",
    };
  }
  if (claim.inFlight.rollingBack || isCounted(workload.bookkeeping, claim.inFlight)) {
    return { kind: "expired", waitSeconds: 0, reason: "its rollback was interrupted" };
  }
  const readiness = assessReadiness(workload.rollout, claim.inFlight, workload.policy, now());
  const isOld = secondsBetween(parseRfc3339(input.executionStartedAt) ?? now(), now()) > longestExecutionSeconds;
  if (readiness.kind === "progressing" && isOld) return { ...readiness, kind: "handover" };
  return { waitSeconds: 0, reason: "every replica runs it and is ready", ...readiness };
};

export const handler = lambda(checkReadiness);
