import { assessCanary } from "../domain/canary.ts";
import { claimOf } from "../domain/claim.ts";
import { isOverdue } from "../domain/hand-over.ts";
import { lambda, type Task } from "../task.ts";

/** Says whether the canary stands, is still moving, or ran out of time. Changes nothing. */
export const checkCanary: Task<"CheckCanary"> = async ({ cluster, now }, input) => {
  const claim = claimOf(await cluster.read(input.workload), input.execution, input.image);
  if (claim.kind === "lost") return { kind: "superseded", waitSeconds: 0, reason: claim.reason };
  const { workload, inFlight } = claim;
  const { phase } = inFlight;
  if (phase === "rollout") return { kind: "promoted", waitSeconds: 0, reason: "promoted before" };
  if (phase === "rollback") return { kind: "expired", waitSeconds: 0, reason: "its rollback was interrupted" };
  const verdict = assessCanary(workload, inFlight, now());
  if (verdict.kind === "progressing" && isOverdue(input.executionStartedAt, now()))
    return { ...verdict, kind: "handover" };
  return { waitSeconds: 0, reason: "the canary stands", ...verdict };
};

export const handler = lambda(checkCanary);
