import type { Task } from "../contract/task.ts";
import { checkClaim } from "../domain/workload/claim.ts";
import { recordedAttempt } from "../domain/workload/completion.ts";
import { rollbackEvent, updateWithdrawnEvent } from "../domain/workload/events.ts";
import { isRestorePending } from "../domain/workload/release/record-restore.ts";
import { lambda } from "../runtime/lambda.ts";
import { emitEvent } from "../workflows/emit-events.ts";
import { releaseRefused } from "../workflows/workload-update/release-refused.ts";
import { restoreStartEvent } from "../workflows/workload-update/start-update.ts";
import { revertResult, revertUpdate, withdrawCanary } from "../workflows/workload-update/revert-update.ts";

/**
 * Restores the previous image and counts the failure of the version. Verdicts "withdraw" and "not-started": neither
 * counts nor blames it. After a refusal of the cluster (verdict "refused") it only releases a claim whose change was not written.
 */
export const rollBack: Task<"RollBack"> = async (ports, input) => {
  const { workload: ref, image, verdict } = input;
  const workload = await ports.cluster.read(ref);
  const claim = checkClaim(workload, input.execution, image);
  if (verdict === "refused") return releaseRefused(ports, workload, claim, input);
  if (claim.kind === "held") {
    await restoreStartEvent(ports, claim, input);
    await revertUpdate(ports, claim, verdict, input.reason);
  } else await withdrawCanary(ports, workload, input.execution);
  const after = await ports.cluster.read(ref);
  const result = after === null ? null : revertResult(after, image);
  const isHeld = after?.inFlight?.phase === "rollback" && after.inFlight.execution === input.execution;
  if (after === null || (result === null && !isHeld)) {
    return { kind: "superseded", reason: claim.kind === "lost" ? claim.reason : "the workload has changed" };
  }
  const { execution, reason } = recordedAttempt(after, image) ?? input;
  // Only its own function may restore the pod template. This step follows it again.
  if (isRestorePending(after.inFlight)) return { kind: "restore", reason };
  const event =
    result === "withdrawn"
      ? updateWithdrawnEvent(after, image, execution, reason)
      : rollbackEvent(after, image, execution, reason);
  if (result !== null) await emitEvent(ports, after, event);
  return { kind: "reverting", reason };
};

export const handler = lambda(rollBack);
