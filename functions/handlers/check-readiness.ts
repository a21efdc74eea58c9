import type { Task } from "../contract/task.ts";
import { nextObservation } from "../domain/workload/policy/observation.ts";
import { checkClaim } from "../domain/workload/update/claim.ts";
import { decidedUpdate, readyUpdate } from "../domain/workload/update/decided-update.ts";
import { lambda } from "../runtime/lambda.ts";
import { assessUpdate } from "../workflows/workload-update/assess-update.ts";
import { observeClaim } from "../workflows/workload-update/observe-claim.ts";
import { checkLeftPods } from "../workflows/workload-update/left-pods.ts";
import { withdrawFrozen } from "../workflows/workload-update/frozen-update.ts";
import { waitForVerdict } from "../workflows/workload-update/park-result.ts";
import { scaleDownWait } from "../workflows/workload-update/scale-down-canary.ts";
import { rollResult, superseded } from "../workflows/workload-update/wait-result.ts";

/** Reports whether a workload is ready, progressing, or past its deadline. Writes only what it noted of the update to its record. */
export const checkReadiness: Task<"CheckReadiness"> = async (ports, input) => {
  const found = await ports.cluster.read(input.workload);
  const left = await checkLeftPods(ports, found, input.executionStartedAt);
  if (left !== null) return left;
  const held = checkClaim(found, input.execution, input.target);
  const decided = held.kind === "held" ? decidedUpdate(held.workload, held.inFlight) : null;
  if (decided !== null) return { waitSeconds: 0, ...decided };
  const claim = await observeClaim(ports, held);
  if (claim.kind === "lost") return superseded(claim.reason);
  const { workload } = claim;
  const verdict = await assessUpdate(ports, claim);
  if (verdict.kind === "roll") return rollResult(ports, workload, verdict.reason, input.executionStartedAt);
  const scaleDown = await scaleDownWait(ports, claim, verdict);
  if (scaleDown !== null) return scaleDown;
  if (verdict.kind === "progressing" || verdict.kind === "waiting") {
    const frozen = await withdrawFrozen(ports, claim);
    if (frozen !== null) return frozen;
    const observation = nextObservation(workload, verdict, ports.now());
    return waitForVerdict(ports, claim, verdict, observation, input.executionStartedAt);
  }
  return { waitSeconds: 0, ...(verdict.kind === "ready" ? readyUpdate(workload.policy) : verdict) };
};

export const handler = lambda({ checkReadiness });
