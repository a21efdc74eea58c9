import type { Task } from "../contract/task.ts";
import { checkClaim } from "../domain/workload/claim.ts";
import { rollbackEvent, updateWithdrawnEvent } from "../domain/workload/events.ts";
import { lambda } from "../runtime/lambda.ts";
import { emitEvent } from "../workflows/emit-events.ts";
import { releaseRefused } from "../workflows/workload-update/release-refused.ts";
import { revertResult, revertUpdate, withdrawCanary } from "../workflows/workload-update/revert-update.ts";

/**
 * Restores the previous image and counts the failure of the version. Verdicts "withdraw" and "not-started": neither
 * counts nor blames it. After a refusal of the cluster (verdict "refused") it only releases a claim whose change was not written.
 */
export const rollBack: Task<"RollBack"> = async (ports, input) => {
  const { workload: ref, image, execution, verdict, reason } = input;
  const workload = await ports.cluster.read(ref);
  const claim = checkClaim(workload, execution, image);
  if (verdict === "refused") return releaseRefused(ports, workload, claim, input);
  if (claim.kind === "held") await revertUpdate(ports, claim, verdict, reason);
  else await withdrawCanary(ports, workload, execution);
  const after = await ports.cluster.read(ref);
  const kind = after === null ? null : revertResult(after, image);
  if (after === null || kind === null) {
    return { kind: "superseded", reason: claim.kind === "lost" ? claim.reason : "the workload has changed" };
  }
  const event =
    kind === "withdrawn"
      ? updateWithdrawnEvent(image, execution, reason)
      : rollbackEvent(after, image, execution, reason);
  await emitEvent(ports, after, event);
  return { kind, reason };
};

export const handler = lambda(rollBack);
