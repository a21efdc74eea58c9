import { bakingSince } from "../domain/workload/bake/assess-bake.ts";
import { recordedRevert } from "../domain/workload/completion.ts";
import { checkClaim } from "../domain/workload/claim.ts";
import { nextObservation } from "../domain/workload/observation.ts";
import type { Task } from "../contract/task.ts";
import { lambda } from "../runtime/lambda.ts";
import { assessUpdate } from "../workflows/workload-update/assess-update.ts";
import { rollResult, waitResult } from "../workflows/workload-update/wait-result.ts";

/** Reports whether a workload is ready, progressing, or past its deadline. Writes only what it noted of the update to its record. */
export const checkReadiness: Task<"CheckReadiness"> = async (ports, input) => {
  const claim = checkClaim(await ports.cluster.read(input.workload), input.execution, input.image);
  if (claim.kind === "lost") return { kind: "superseded", waitSeconds: 0, reason: claim.reason };
  const { workload, inFlight } = claim;
  if (inFlight.phase === "rollback" || recordedRevert(workload.updateRecord, inFlight) !== null) {
    return { kind: "expired", waitSeconds: 0, reason: "its rollback was interrupted" };
  }
  if (bakingSince(inFlight) !== null) return { kind: "bake", waitSeconds: 0, reason: "its bake time has begun" };
  const verdict = await assessUpdate(ports, claim);
  if (verdict.kind === "roll") return rollResult(ports, workload, verdict.reason, input.executionStartedAt);
  if (verdict.kind === "progressing" || verdict.kind === "waiting") {
    const observation = nextObservation(workload, verdict, ports.now());
    return waitResult(ports, workload, verdict, input.executionStartedAt, observation && { observation });
  }
  if (verdict.kind !== "ready") return { waitSeconds: 0, ...verdict };
  const kind = workload.policy.bake === null ? "ready" : "bake";
  return { kind, waitSeconds: 0, reason: "all replicas are updated and ready" };
};

export const handler = lambda(checkReadiness);
