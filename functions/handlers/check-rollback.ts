import type { Task } from "../contract/task.ts";
import { checkClaim } from "../domain/workload/claim.ts";
import { recordedAttempt } from "../domain/workload/completion.ts";
import { recentEndEvents } from "../domain/workload/lost-events.ts";
import { lambda } from "../runtime/lambda.ts";
import { restoreEvents } from "../workflows/emit-events.ts";
import { rollResult, waitResult } from "../workflows/workload-update/wait-result.ts";
import { finishRollback, revertResult } from "../workflows/workload-update/revert-update.ts";

/** Reports whether the pods run what a rollback restored, and releases the claim once they do or its deadline has passed. */
export const checkRollback: Task<"CheckRollback"> = async (ports, input) => {
  const { workload: ref, image, execution, executionStartedAt } = input;
  const claim = checkClaim(await ports.cluster.read(ref), execution, image);
  let { reason } = input;
  if (claim.kind === "held" && claim.inFlight.phase === "rollback") {
    const readiness = await finishRollback(ports, claim, executionStartedAt);
    if (readiness.kind === "roll") return rollResult(ports, claim.workload, readiness.reason, executionStartedAt);
    if (readiness.kind === "progressing") return waitResult(ports, claim.workload, readiness, executionStartedAt);
    if (readiness.kind === "expired") reason = `${reason}; ${readiness.reason}`;
  }
  const after = await ports.cluster.read(ref);
  const kind = after === null || after.inFlight !== null ? null : revertResult(after, image);
  if (after === null || kind === null) {
    return {
      kind: "superseded",
      waitSeconds: 0,
      reason: claim.kind === "lost" ? claim.reason : "the workload has changed",
    };
  }
  await restoreEvents(ports, after, recentEndEvents(after, ports.now()));
  return { kind, waitSeconds: 0, reason: recordedAttempt(after, image)?.reason ?? reason };
};

export const handler = lambda(checkRollback);
