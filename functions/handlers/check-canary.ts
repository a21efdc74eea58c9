import { nextCanaryObservation } from "../domain/workload/canary/canary.ts";
import { isGrowing, stepText } from "../domain/workload/canary/progress.ts";
import { decidedCanary } from "../domain/workload/update/decided-update.ts";
import type { Task } from "../contract/task.ts";
import { lambda } from "../runtime/lambda.ts";
import { withdrawFrozen } from "../workflows/workload-update/frozen-update.ts";
import { observeCanary } from "../workflows/workload-update/observe-canary.ts";
import { observeClaim } from "../workflows/workload-update/observe-claim.ts";
import { readCanaryClaim } from "../workflows/workload-update/read-canary-claim.ts";
import { parkResult, unverifiedSleep, waitForVerdict } from "../workflows/workload-update/park-result.ts";
import { rollCanaryResult, superseded } from "../workflows/workload-update/wait-result.ts";

/** Reports whether the canary is ready, progressing, or past its deadline. Writes only what it noted to its record. */
export const checkCanary: Task<"CheckCanary"> = async (ports, input) => {
  const claim = await observeClaim(ports, await readCanaryClaim(ports, input));
  if (claim.kind === "lost") return { ...superseded(claim.reason), step: "" };
  const { workload, inFlight } = claim;
  const step = stepText(workload);
  const verdict = decidedCanary(inFlight) ?? (await observeCanary(ports, claim));
  if (verdict.kind === "roll")
    return { ...(await rollCanaryResult(ports, claim, verdict.reason, input.executionStartedAt)), step };
  const asleep = unverifiedSleep(claim, verdict.kind, input, ports.now());
  if (asleep !== null) {
    const result = await withdrawFrozen(ports, claim);
    return { ...(result ?? (await parkResult(ports, workload, asleep, input.executionStartedAt))), step };
  }
  if (verdict.kind === "progressing" || verdict.kind === "waiting") {
    const frozen = await withdrawFrozen(ports, claim);
    if (frozen !== null) return { ...frozen, step };
    const observation = nextCanaryObservation(workload, verdict, ports.now());
    const result = await waitForVerdict(ports, claim, verdict, observation, input.executionStartedAt);
    const isMeasured = result.kind === "progressing" && isGrowing(workload);
    return { ...result, ...(isMeasured ? ({ kind: "measure" } as const) : {}), step };
  }
  return { waitSeconds: 0, reason: "all canary replicas are ready", ...verdict, step };
};

export const handler = lambda({ checkCanary });
