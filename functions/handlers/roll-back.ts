import type { Task } from "../contract/task.ts";
import { checkClaim } from "../domain/workload/claim.ts";
import { rollbackEvent } from "../domain/workload/events.ts";
import { lambda } from "../runtime/lambda.ts";
import { emitEvent } from "../workflows/emit-events.ts";
import {
  isReverted,
  releaseRefused,
  revertUpdate,
  withdrawCanary,
} from "../workflows/workload-update/revert-update.ts";

/**
 * Restores the previous image and counts the failure of the version. After a refusal of the cluster (verdict "refused") it only
 * releases a claim whose change was not written.
 */
export const rollBack: Task<"RollBack"> = async (ports, input) => {
  const { workload: ref, image, execution, verdict, reason } = input;
  const workload = await ports.cluster.read(ref);
  const claim = checkClaim(workload, execution, image);
  if (verdict === "refused") return releaseRefused(ports, claim, reason);
  if (claim.kind === "held") await revertUpdate(ports, claim, reason, verdict === "abort");
  else await withdrawCanary(ports, workload, execution);
  const after = await ports.cluster.read(ref);
  if (after === null || !isReverted(after, image)) {
    return { kind: "superseded", reason: claim.kind === "lost" ? claim.reason : "the workload has changed" };
  }
  await emitEvent(ports, after, rollbackEvent(after, image, execution, reason));
  return { kind: after.policy.enabled && after.updateRecord.circuitOpen ? "circuit-tripped" : "rolled-back", reason };
};

export const handler = lambda(rollBack);
