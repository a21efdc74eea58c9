import type { Task } from "../contract/task.ts";
import { checkClaim } from "../domain/workload/update/claim.ts";
import { lambda } from "../runtime/lambda.ts";
import { observeClaim } from "../workflows/workload-update/observe-claim.ts";
import { finishRollback, rollbackResult } from "../workflows/workload-update/revert-update.ts";
import { rollResult, waitResult } from "../workflows/workload-update/wait-result.ts";

/** Reports whether the pods run what a rollback restored, and releases the claim once they do or its deadline has passed. */
export const checkRollback: Task<"CheckRollback"> = async (ports, input) => {
  const { workload: ref, target, execution, executionStartedAt } = input;
  const held = checkClaim(await ports.cluster.read(ref), execution, target);
  const isRollback = held.kind === "held" && held.inFlight.phase === "rollback";
  const observed = isRollback ? await observeClaim(ports, held) : null;
  const claim = observed ?? held;
  let { reason } = input;
  if (observed?.kind === "held") {
    const readiness = await finishRollback(ports, observed, executionStartedAt);
    if (readiness.kind === "roll") return rollResult(ports, observed.workload, readiness.reason, executionStartedAt);
    if (readiness.kind === "progressing")
      return waitResult(ports, observed.workload, readiness, executionStartedAt, readiness.noted);
    if (readiness.kind === "expired") reason = `${reason}; ${readiness.reason}`;
  }
  return rollbackResult(ports, await ports.cluster.read(ref), claim, { target, reason });
};

export const handler = lambda({ checkRollback });
