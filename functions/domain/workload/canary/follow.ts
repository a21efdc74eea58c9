import type { Rollout, Workload } from "../workload.ts";
import { currentSize } from "./progress.ts";
import { partitionFor } from "./size.ts";

/** What the owner of a canary has changed since it began. */
export interface OwnerChange {
  /**
   * "restart": the pod template, which would be promoted without a test. "resize": the number of replicas, around which the canary has
   * another size now. "wait": the owner has paused the workload.
   */
  readonly kind: "restart" | "resize" | "wait";
  readonly reason: string;
}

/** Returns what a canary must follow before it is judged; null if nothing. One without recorded steps is left as it is. */
export function ownerChange(workload: Workload): OwnerChange | null {
  const { rollout, canaryProgress } = workload;
  if (rollout === null || canaryProgress === null) return null;
  if (rollout.isPaused) return { kind: "wait", reason: "its owner has paused it: the canary waits" };
  if (rollout.isTemplateEdited)
    return { kind: "restart", reason: "the pod template was changed: the canary begins again" };
  const reason = resizeReason(workload, rollout);
  return reason === null ? null : { kind: "resize", reason };
}

/** Returns why a canary within the replicas has another size now; null if it has not, and if its owner has set the partition. */
function resizeReason(workload: Workload, { desiredReplicas }: Rollout): string | null {
  const { canary } = workload;
  const size = currentSize(workload);
  if (canary?.partition === undefined || size === null) return null;
  const stable = partitionFor(size, desiredReplicas);
  if (canary.partition !== stable)
    return `scaled to ${desiredReplicas} replicas: ${stable} of them stay stable, not ${canary.partition}`;
  // Until the partition is observed, the counts are of the one before.
  const isObserved = canary.observedGeneration >= canary.generation;
  const surplus = isObserved ? canary.updatedReplicas - canary.desiredReplicas : 0;
  return surplus > 0
    ? `${surplus} replicas that were added run the target, and are created again as stable ones`
    : null;
}
