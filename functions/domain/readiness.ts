import { sameImage } from "./image-reference.ts";
import { secondsBetween } from "./time.ts";
import type { InFlight, Policy, Rollout } from "./workload.ts";

export type Readiness =
  | { readonly kind: "ready" }
  | { readonly kind: "progressing"; readonly waitSeconds: number; readonly reason: string }
  | { readonly kind: "expired"; readonly reason: string };

/**
 * Says whether an update has settled, is still moving, or is to be given up.
 * Ready is tested before the deadline: a workload that became ready late is still ready. A start that cannot be read
 * is given up at once, and so is an update that its owner has switched off (both rules of k8s4claw, the second mended).
 * `stale` says what its counts cannot: that pods still run what stood behind the tag before.
 */
export function assessReadiness(
  rollout: Rollout | null,
  inFlight: InFlight,
  policy: Policy,
  now: Date,
  stale: string | null = null,
): Readiness {
  if (!policy.enabled) return { kind: "expired", reason: "auto-update was switched off" };
  if (inFlight.startedAt === "malformed") {
    return { kind: "expired", reason: "the update-started annotation is not an RFC3339 time" };
  }
  const missing = whatIsMissing(rollout, inFlight.phase === "restart" ? null : inFlight.targetImage) ?? stale;
  if (missing === null) return { kind: "ready" };
  const elapsedSeconds = secondsBetween(inFlight.startedAt, now);
  if (elapsedSeconds > policy.healthTimeoutSeconds && isSeen(rollout)) {
    return { kind: "expired", reason: `not ready after ${policy.healthTimeoutSeconds} s: ${missing}` };
  }
  return { kind: "progressing", waitSeconds: nextCheckSeconds(elapsedSeconds, policy), reason: missing };
}

/**
 * Until its controller has seen the last change nothing is known, and what is not known is no failure: whoever takes over an
 * update long after its deadline has just written to the workload, and annotations raise a Deployment's generation.
 */
function isSeen(rollout: Rollout | null): boolean {
  return rollout === null || rollout.observedGeneration >= rollout.generation;
}

/** What keeps a rollout from having settled on `image`, or on whatever its template names, in words; null where nothing does. */
export function whatIsMissing(rollout: Rollout | null, image: string | null): string | null {
  if (rollout === null) return "the object that runs the pods does not exist";
  if (rollout.observedGeneration < rollout.generation) return "its controller has not seen the change yet";
  if (image !== null && (rollout.image === null || !sameImage(rollout.image, image))) {
    return `the pod template runs ${rollout.image ?? "no such container"}`;
  }
  const { desiredReplicas: desired, updatedReplicas, readyReplicas, oldReplicas } = rollout;
  if (updatedReplicas < desired) return `${updatedReplicas} of ${desired} replicas updated`;
  if (oldReplicas > 0) return `${oldReplicas} old replicas still stand`;
  if (readyReplicas < desired) return `${readyReplicas} of ${desired} replicas ready`;
  return null;
}

const firstWaitSeconds = 15;
const longestWaitSeconds = 60;
const steadySeconds = 120;

/**
 * 15 s for the first two minutes, then half as long again each time up to 60 s, and never far past the deadline.
 * Adding half of what has passed since then grows each wait by half, without a counter to carry along.
 */
export function nextCheckSeconds(elapsedSeconds: number, policy: Policy): number {
  const grown = firstWaitSeconds + Math.max(0, elapsedSeconds - steadySeconds) / 2;
  const leftSeconds = policy.healthTimeoutSeconds - elapsedSeconds;
  const untilExpired = leftSeconds < 0 ? firstWaitSeconds : Math.floor(leftSeconds) + 1;
  return Math.round(Math.min(grown, longestWaitSeconds, untilExpired));
}
