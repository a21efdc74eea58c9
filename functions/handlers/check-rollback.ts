import type { Task } from "../contract/task.ts";
import { checkClaim } from "../domain/workload/update/claim.ts";
import { lambda } from "../runtime/lambda.ts";
import { finishRollback, rollbackResult } from "../workflows/workload-update/revert-update.ts";
import { rollResult, waitResult } from "../workflows/workload-update/wait-result.ts";

/** Reports whether the pods run what a rollback restored, and releases the claim once they do or its deadline has passed. */
export const checkRollback: Task<"CheckRollback"> = async (ports, input) => {
  const { workload: ref, target, execution, executionStartedAt } = input;
  const claim = checkClaim(await ports.cluster.read(ref), execution, target);
  let { reason } = input;
  if (claim.kind === "held" && claim.inFlight.phase === "rollback") {
    const readiness = await finishRollback(ports, claim, executionStartedAt);
    if (readiness.kind === "roll") return rollResult(ports, claim.workload, readiness.reason, executionStartedAt);
    if (readiness.kind === "progressing")
      return waitResult(ports, claim.workload, readiness, executionStartedAt, readiness.noted);
    if (readiness.kind === "expired") reason = `${reason}; ${readiness.reason}`;
  }
  return rollbackResult(ports, await ports.cluster.read(ref), claim, { target, reason });
};

export const handler = lambda(checkRollback);
