import type { LabelSelector } from "../../domain/text/label-selector.ts";
import type { InFlight, Workload } from "../../domain/workload/workload.ts";
import type { PodCounts } from "../../ports/cluster.ts";
import type { KubernetesApi } from "./api.ts";
import { isTarget } from "./kinds/claim-state.ts";
import { formatLabelSelector } from "./label-selector.ts";
import type { KubernetesObject, Resource } from "./objects.ts";
import { hasCrashed, isReady, type Pod, revisionLabel } from "./pod.ts";

interface WithSelector extends KubernetesObject {
  readonly spec: { readonly selector?: LabelSelector };
  /** Only a StatefulSet has it. */
  readonly status?: { readonly updateRevision?: string };
}

/** How long after its grace period a pod has not been removed: the kubelet of its node does not answer. */
const overdueSeconds = 60;

/** Counts the unavailable pods of a workload by their cause. Reads no Nodes: that needs a right that Pawl does not have. */
export async function countUnavailablePods(
  { ref: { namespace, name, uid }, inFlight }: Pick<Workload, "ref" | "inFlight">,
  resource: Resource,
  api: KubernetesApi,
  now: Date,
): Promise<PodCounts> {
  const object = await api.get<WithSelector>(resource, namespace, name);
  const selector = formatLabelSelector(object?.spec.selector);
  if (object?.metadata.uid !== uid || selector === "") return { excused: 0, crashed: 0 };
  const pods = await api.listPods(namespace, selector);
  const revision = object.status?.updateRevision;
  return {
    excused: pods.filter((pod) => isExcused(pod, now) || isStuckBefore(pod, revision)).length,
    crashed: pods.filter((pod) => inFlight !== null && hasFailed(pod, inFlight)).length,
  };
}

/** Reports whether a pod is unavailable for another cause than its image: no node takes it, or its node does not answer. */
export function isExcused(pod: Pod, now: Date): boolean {
  return isUnschedulable(pod) || isLeftBehind(pod, now) || isUnreachable(pod);
}

function hasFailed(pod: Pod, inFlight: InFlight): boolean {
  return !isReady(pod) && hasCrashed(pod) && isTarget(pod, inFlight);
}

/** A StatefulSet waits for such a pod. It is deleted when the next attempt starts. */
function isStuckBefore(pod: Pod, revision: string | undefined): boolean {
  return revision !== undefined && !isReady(pod) && pod.metadata.labels?.[revisionLabel] !== revision;
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

function conditionOf({ status }: Pod, type: string): string | undefined {
  return status?.conditions?.find((condition) => condition.type === type)?.status;
}
