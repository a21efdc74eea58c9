import type { Task } from "../contract/task.ts";
import { stepText } from "../domain/workload/canary/progress.ts";
import { lambda } from "../runtime/lambda.ts";
import { analyzeClaim } from "../workflows/workload-update/analyze-claim.ts";
import { observeClaim } from "../workflows/workload-update/observe-claim.ts";
import { withdrawFrozen } from "../workflows/workload-update/frozen-update.ts";
import { readCanaryClaim } from "../workflows/workload-update/read-canary-claim.ts";
import { superseded } from "../workflows/workload-update/wait-result.ts";

/** Takes the measurements that are due, records them on the workload, and returns the verdict about the canary. */
export const analyzeCanary: Task<"AnalyzeCanary"> = async (ports, input) => {
  const claim = await observeClaim(ports, await readCanaryClaim(ports, input));
  if (claim.kind === "lost") return { ...superseded(claim.reason), step: "" };
  const frozen = await withdrawFrozen(ports, claim);
  if (frozen !== null) return { ...frozen, step: stepText(claim.workload) };
  return { ...(await analyzeClaim(ports, claim, input.executionStartedAt)), step: stepText(claim.workload) };
};

export const handler = lambda({ analyzeCanary });
