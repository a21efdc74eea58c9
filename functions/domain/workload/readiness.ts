import { isSameImage } from "../image/reference.ts";
import { secondsBetween } from "../text/rfc3339.ts";
import type { InFlight, Policy, Rollout, Workload } from "./workload.ts";

export type Readiness =
  | { readonly kind: "ready" }
  | { readonly kind: "progressing"; readonly waitSeconds: number; readonly reason: string }
  | { readonly kind: "expired"; readonly reason: string };

/**
 * Assesses whether an update is ready, still progressing or expired.
 * Ready is tested before the deadline: a workload that became ready late is still ready. A malformed start time
 * expires at once, as in k8s4claw, and so does an update that its owner disabled. `stale` is what the counts cannot
 * show: pods that still run the previous digest.
 */
export function assessReadiness(
  rollout: Rollout | null,
  inFlight: InFlight,
  policy: Policy,
  now: Date,
  stale: string | null = null,
): Readiness {
  if (!policy.enabled) return { kind: "expired", reason: "auto-update was disabled" };
  if (inFlight.startedAt === "malformed") {
    return { kind: "expired", reason: "the update-started annotation is not an RFC3339 time" };
  }
  const missing = missingCondition(rollout, inFlight.phase === "restart" ? null : inFlight.targetImage) ?? stale;
  if (missing === null) return { kind: "ready" };
  const elapsedSeconds = secondsBetween(inFlight.startedAt, now);
  if (elapsedSeconds > policy.healthTimeoutSeconds && isObserved(rollout)) {
    return { kind: "expired", reason: `not ready after ${policy.healthTimeoutSeconds} s: ${missing}` };
  }
  return { kind: "progressing", waitSeconds: nextCheckSeconds(elapsedSeconds, policy), reason: missing };
}

/** Assesses all replicas of a workload. `stale` is as for `assessReadiness`. */
export function assessWorkload(workload: Workload, inFlight: InFlight, now: Date, stale: string | null): Readiness {
  return withholdExpiry(assessReadiness(workload.rollout, inFlight, workload.policy, now, stale), workload, inFlight);
}

const problemWaitSeconds = 60;

/**
 * Withholds the verdict "expired" while a setting is invalid or its controller is paused: the default that replaces the
 * setting, or a rollout that its owner stopped, says nothing about the version. A malformed start time and an update
 * that its owner disabled still expire.
 */
export function withholdExpiry(
  readiness: Readiness,
  { problems, policy }: Workload,
  { startedAt }: InFlight,
): Readiness {
  const isJudged = problems.length === 0 || !policy.enabled || startedAt === "malformed";
  if (readiness.kind !== "expired" || isJudged) return readiness;
  const reason = `not judged until it is fixed: ${problems.join("; ")}`;
  return { kind: "progressing", waitSeconds: problemWaitSeconds, reason };
}

/**
 * Reports whether the controller has observed the last change. Until then the state is unknown, which is not
 * unhealthy: an execution that adopts an update long after its deadline has just written annotations, and these raise
 * a Deployment's generation.
 */
function isObserved(rollout: Rollout | null): boolean {
  return rollout === null || rollout.observedGeneration >= rollout.generation;
}

/** Returns why a rollout is not complete on `image` (null: on the image of its template); null if it is complete. */
export function missingCondition(rollout: Rollout | null, image: string | null): string | null {
  if (rollout === null) return "the object that manages the pods does not exist";
  if (rollout.observedGeneration < rollout.generation) return "the controller has not observed the change yet";
  if (image !== null && (rollout.image === null || !isSameImage(rollout.image, image))) {
    return `the pod template runs ${rollout.image ?? "no such container"}`;
  }
  const { desiredReplicas: desired, updatedReplicas, readyReplicas, oldReplicas } = rollout;
  if (updatedReplicas < desired) return `${updatedReplicas} of ${desired} replicas updated`;
  if (oldReplicas > 0) return `${oldReplicas} old replicas are still running`;
  if (readyReplicas < desired) return `${readyReplicas} of ${desired} replicas ready`;
  return null;
}

const minWaitSeconds = 15;
const maxWaitSeconds = 60;
const constantWaitSeconds = 120;

/**
 * Returns 15 s for the first two minutes, then half as long again each time up to 60 s, and never far past the
 * deadline. Adding half of the time since then grows each wait by half, without a counter to carry along.
 */
export function nextCheckSeconds(elapsedSeconds: number, policy: Policy): number {
  const grown = minWaitSeconds + Math.max(0, elapsedSeconds - constantWaitSeconds) / 2;
  const leftSeconds = policy.healthTimeoutSeconds - elapsedSeconds;
  const untilExpired = leftSeconds < 0 ? minWaitSeconds : Math.floor(leftSeconds) + 1;
  return Math.round(Math.min(grown, maxWaitSeconds, untilExpired));
}
