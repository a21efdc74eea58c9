import type { Policy, Rollout, Workload } from "../workload.ts";
import { hasBaseline } from "./analysis-runs.ts";
import { currentSize, isEdited } from "./progress.ts";
import type { CanarySize } from "./canary-size.ts";
import { canaryReplicas, partitionFor } from "./size.ts";
import { describeProblems } from "../policy/problem.ts";

/** What the owner of a canary has changed since it began. */
export interface OwnerChange {
  /**
   * "restart": the pod template, which would be promoted without a test. "edited": the steps, which begin again. "resize": the number of replicas, around which the canary has
   * another size now. "wait": the owner has paused the workload. "return": replicas that become stable again are not available yet.
   * "withdraw": the pod template was changed, or the workload has no replicas, and there is no step with which the canary could go on. "invalid": nor is it known.
   */
  readonly kind: "restart" | "edited" | "resize" | "wait" | "return" | "withdraw" | "invalid";
  readonly reason: string;
}

/** Returns what a canary must follow before it is judged; null if nothing. One without recorded steps is left as it is. */
export function ownerChange(workload: Workload): OwnerChange | null {
  const { rollout, canaryProgress } = workload;
  if (canaryProgress === null) return null;
  if (rollout?.isPaused)
    return surplusOf(workload) ?? { kind: "wait", reason: "its owner has paused it: the canary waits" };
  if (rollout?.isTemplateEdited) return followTemplate(workload);
  if (isEdited(workload)) return { kind: "edited", reason: "the steps were changed: the canary begins again" };
  return rollout === null ? null : resize(workload, rollout);
}

function followTemplate({ policy, problems }: Workload): OwnerChange {
  if (policy.canary !== null)
    return { kind: "restart", reason: "the pod template was changed: the canary begins again" };
  if (problems.length > 0) return { kind: "invalid", reason: describeProblems(problems) };
  return { kind: "withdraw", reason: "the pod template was changed, and the canary has no steps any more" };
}

/** null if a canary has its size, and if its owner has set the partition. */
function resize(workload: Workload, rollout: Rollout): OwnerChange | null {
  const { canary } = workload;
  const size = currentSize(workload);
  if (canary === null) return null;
  if (size === null && canary.addedTo === 0)
    return { kind: "withdraw", reason: "scaled to 0 replicas, and the canary has no steps any more" };
  if (size === null) return null;
  if (canary.addedTo !== undefined) return resizeAdded(canary, size, canary.addedTo, workload.policy);
  if (canary.sharedReplicas !== undefined) return resizeShared(canary, size, canary.sharedReplicas, rollout);
  if (canary.partition === undefined) return null;
  const { desiredReplicas } = rollout;
  const stable = partitionFor(size, desiredReplicas);
  if (canary.partition !== stable) {
    const reason = `scaled to ${desiredReplicas} replicas: ${stable} of them stay stable, not ${canary.partition}`;
    return { kind: "resize", reason };
  }
  // Until the partition is observed, the counts are of the one before.
  const surplus = canary.observedGeneration >= canary.generation ? canary.updatedReplicas - canary.desiredReplicas : 0;
  return surplus > 0 ? returnToStable(surplus, canary, rollout) : null;
}

/** Returns that a canary has too many replicas: a Deployment that is paused is scaled all the same. It grows when that is over. */
function surplusOf(workload: Workload): OwnerChange | null {
  const { canary } = workload;
  const size = currentSize(workload);
  if (canary?.addedTo === undefined || size === null) return null;
  return canary.desiredReplicas > canaryReplicas(size, canary.addedTo)
    ? resizeAdded(canary, size, canary.addedTo, workload.policy)
    : null;
}

/** Each of them has at most as many replicas as its workload: none if that is scaled to 0. A baseline has as many as its canary. */
function resizeAdded(canary: Rollout, size: CanarySize, replicas: number, policy: Policy): OwnerChange | null {
  const wanted = canaryReplicas(size, replicas);
  if (canary.desiredReplicas !== wanted) {
    const reason = `scaled to ${replicas} replicas: the canary has ${wanted}, not ${canary.desiredReplicas}`;
    return { kind: "resize", reason };
  }
  const found = canary.baseline?.desiredReplicas;
  if (!hasBaseline(policy) || found === wanted) return null;
  return { kind: "resize", reason: `the baseline has ${wanted} replicas, as its canary, not ${found ?? 0}` };
}

/** The stable set gets back at once what it has too few. */
function resizeShared(canary: Rollout, size: CanarySize, replicas: number, stable: Rollout): OwnerChange | null {
  const wanted = canaryReplicas(size, replicas);
  const kept = partitionFor(size, replicas);
  if (canary.desiredReplicas === wanted && stable.desiredReplicas >= kept) return null;
  return { kind: "resize", reason: `scaled to ${replicas} replicas: ${wanted} of them are of the canary` };
}

/**
 * Returns that the stable set has to give up replicas, before a canary that shares them is measured: null before that is ready, and if
 * the step ends without a measurement.
 */
export function stableSurplus(workload: Workload): OwnerChange | null {
  const { canary, rollout } = workload;
  const size = currentSize(workload);
  if (canary?.sharedReplicas === undefined || size === null || rollout === null || !isComplete(canary)) return null;
  const kept = partitionFor(size, canary.sharedReplicas);
  if (rollout.desiredReplicas <= kept) return null;
  return {
    kind: "resize",
    reason: `the canary is ready: ${kept} replicas stay stable, not ${rollout.desiredReplicas}`,
  };
}

/** Reports whether all pods of a canary are ready, and of its current pod template. */
export function isComplete(canary: Rollout): boolean {
  const { generation, observedGeneration, desiredReplicas, updatedReplicas, readyReplicas } = canary;
  return observedGeneration >= generation && Math.min(updatedReplicas, readyReplicas) >= desiredReplicas;
}

/** Serving pods are deleted one at a time, while all others are available. If pods of the target are not, its health comes first. */
function returnToStable(surplus: number, canary: Rollout, rollout: Rollout): OwnerChange | null {
  const reason = `scaled: ${surplus} replicas that run the target become stable, one at a time`;
  if (rollout.readyReplicas >= rollout.desiredReplicas) return { kind: "resize", reason };
  const isHealthy = canary.readyReplicas >= canary.updatedReplicas;
  return isHealthy ? { kind: "return", reason: `${reason}: waits until all others are available` } : null;
}
