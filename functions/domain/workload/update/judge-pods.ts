import { type Evidence, withEvidence } from "../../health/evidence.ts";
import { type Failure, findFailure } from "../../health/find-failure.ts";
import type { ObservedPod } from "../../health/observed-pod.ts";
import type { Rollout, Workload } from "../workload.ts";
import type { InFlight } from "./in-flight.ts";
import { podDeadlineSeconds } from "./progress-deadline.ts";
import { type Failed, withControl } from "./readiness.ts";

type Replicas = Pick<Workload, "rollout" | "canary">;

/**
 * Reports whether each check reads the pods of an update: counts do not show that one exits and is ready again. k8s4claw judges by counts
 * alone, and no pod of a CronJob runs on.
 */
export function isPodHealthJudged(workload: Workload, inFlight: InFlight): boolean {
  const { phase, isApplied } = inFlight;
  const { failsWithoutPods, policy, verdict } = workload;
  if (failsWithoutPods || policy.optIn === "no" || isApplied === false) return false;
  if (phase === "canary" && (verdict === "promote" || verdict === "abort")) return false;
  const judged = judgedReplicas(workload, inFlight);
  return judged !== null && judged.podsPer !== "job" && judged.updatedReplicas > 0;
}

/** Returns the pods of an update, or of what its rollback restored, that have failed by themselves; null if none has. */
export function judgePods(
  workload: Workload,
  inFlight: InFlight,
  pods: readonly ObservedPod[],
  now: Date,
): Failure | null {
  const { rollout, policy, problems } = workload;
  const { startedAt, revertedAt, health, unavailableBefore = 0 } = inFlight;
  if (problems.length > 0 || startedAt === "malformed" || rollout?.isPaused) return null;
  const judged = judgedReplicas(workload, inFlight);
  const limits = {
    podDeadlineSeconds: podDeadlineSeconds(policy, judged),
    maxRestarts: policy.maxRestarts,
    startedAt: revertedAt ?? startedAt,
    toleratedPods: judged?.podsPer === "node" ? unavailableBefore : 0,
  };
  return findFailure(pods, health, limits, now);
}

function judgedReplicas({ rollout, canary }: Replicas, update: Pick<InFlight, "phase"> | null): Rollout | null {
  return update?.phase === "canary" ? canary : rollout;
}

/**
 * Returns the verdict on an update of which pods have failed by themselves, whatever its replicas show: "fail" if they had been ready, and may be
 * again when it is reverted. One that is
 * judged already, or cannot be, stays as it is.
 */
export function failUpdate<Assessed extends { readonly kind: string; readonly reason?: string }>(
  readiness: Assessed,
  workload: Replicas & Pick<Workload, "inFlight">,
  { kind, reason, evidence }: Failure,
  control: readonly Evidence[],
): Assessed | Failed<"expired" | "fail" | "withdraw" | "unproven"> {
  const isJudged = readiness.kind === "ready" || readiness.kind === "progressing" || readiness.kind === "roll";
  if (!isJudged) return readiness;
  const missing = kind === "late" && readiness.reason !== undefined ? `: ${readiness.reason}` : "";
  const total = judgedReplicas(workload, workload.inFlight)?.desiredReplicas;
  const detail = withEvidence(`${reason}${missing}`, evidence, { total });
  if (workload.rollout?.isTemplateEdited) return { kind: "withdraw", reason: detail };
  return withControl({ kind: kind === "late" ? "expired" : "fail", reason: detail }, control);
}
