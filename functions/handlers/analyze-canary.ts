import type { Task } from "../contract/task.ts";
import { stepText } from "../domain/workload/canary/progress.ts";
import { checkClaim } from "../domain/workload/claim.ts";
import { lambda } from "../runtime/lambda.ts";
import { analyzeClaim } from "../workflows/workload-update/analyze-claim.ts";

/** Takes the measurements that are due, records them on the workload, and returns the verdict about the canary. */
export const analyzeCanary: Task<"AnalyzeCanary"> = async (ports, input) => {
  const claim = checkClaim(await ports.cluster.read(input.workload), input.execution, input.image);
  if (claim.kind === "lost") return { kind: "superseded", waitSeconds: 0, reason: claim.reason, step: "" };
  return { ...(await analyzeClaim(ports, claim, input.executionStartedAt)), step: stepText(claim.workload) };
};

export const handler = lambda(analyzeCanary);
