import { conditionOf, isReady, type Pod } from "./pod.ts";

/** How long after its grace period a pod has not been removed: the kubelet of its node does not answer. */
const overdueSeconds = 60;

/** Reports whether a pod is unavailable for another cause than its image: no node takes it, or its node does not answer. */
export function isExcused(pod: Pod, now: Date): boolean {
  return isUnschedulable(pod) || isLeftBehind(pod, now) || isUnreachable(pod);
}

function isUnschedulable(pod: Pod): boolean {
  return conditionOf(pod, "PodScheduled") === "False";
}

/** `deletionTimestamp` is the end of the grace period. */
function isLeftBehind({ metadata: { deletionTimestamp } }: Pod, now: Date): boolean {
  return (
    deletionTimestamp !== undefined && now.getTime() - new Date(deletionTimestamp).getTime() > overdueSeconds * 1000
  );
}

/**
 * The kubelet derives `Ready` from `ContainersReady` and the readiness gates. If they differ, the node controller has set `Ready` to
 * False, because the kubelet does not answer.
 */
function isUnreachable(pod: Pod): boolean {
  const { readinessGates = [] } = pod.spec;
  const types = ["ContainersReady", ...readinessGates.map(({ conditionType }) => conditionType)];
  return !isReady(pod) && types.every((type) => conditionOf(pod, type) === "True");
}
