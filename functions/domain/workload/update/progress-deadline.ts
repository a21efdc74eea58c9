import type { Observation } from "../policy/observation-kinds.ts";
import type { Policy, Rollout } from "../workload.ts";

type Observed = Extract<Observation, { readonly kind: "observed" }>;

/**
 * Returns the observation of a rollout now: since when it is judged. As with `progressDeadlineSeconds` of a Deployment, the deadline begins
 * again whenever fewer pods than ever are still to be updated and available, and when the number of desired pods changes: so a rollout may
 * take as long as its pods need one after the other. It is `noted` itself if nothing has changed. null if the kind cannot note it.
 */
export function observeRollout(rollout: Rollout | null, noted: Observation | undefined, now: Date): Observed | null {
  if (rollout?.template === undefined) return null;
  const { template, desiredReplicas: desired } = rollout;
  const counted = { desired, remaining: remainingReplicas(rollout) };
  if (noted?.kind !== "observed" || noted.template !== template)
    return { kind: "observed", at: now, template, ...counted };
  // A version of Pawl that did not count wrote it, or a hook or a bake time began.
  if (noted.remaining === undefined) return { ...noted, ...counted };
  const hasProgressed = counted.remaining < noted.remaining || desired !== noted.desired;
  return hasProgressed ? { ...noted, ...counted, at: now } : noted;
}

/** Counts the pods that are still to be updated and available. A pod that is created and not ready yet changes nothing. */
function remainingReplicas({ desiredReplicas, updatedReplicas, oldReplicas, readyReplicas }: Rollout): number {
  const unavailable = updatedReplicas + oldReplicas - readyReplicas;
  return Math.max(0, desiredReplicas - updatedReplicas) + Math.max(0, unavailable);
}

/** Returns how long one pod may take: `minReadySeconds` begin when it is ready, which the health timeout allows for. */
export function podDeadlineSeconds({ healthTimeoutSeconds }: Policy, rollout: Rollout | null): number {
  return healthTimeoutSeconds + (rollout?.minReadySeconds ?? 0);
}
