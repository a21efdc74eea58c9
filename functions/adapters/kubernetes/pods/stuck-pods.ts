import { secondsAfter } from "../../../domain/text/rfc3339.ts";
import { isAsWritten } from "../../../domain/image/reference.ts";
import type { Workload } from "../../../domain/workload/workload.ts";
import { Conflict } from "../../../ports/errors.ts";
import type { KubernetesApi } from "../api.ts";
import { allContainers } from "../kinds/pod-template/pod-template.ts";
import type { StatefulSet } from "../kinds/built-in/stateful-set.ts";
import { isOwnPartition, partitionOf, statefulSet } from "../kinds/built-in/stateful-set.ts";
import { resource as statefulCanary } from "../kinds/stateful-canary/object.ts";
import { setNames } from "../kinds/stateful-canary/set.ts";
import { isReady, ordinalOf, type Pod, revisionLabel, unreadySince } from "./pod.ts";
import { formatLabelSelector } from "../label-selector.ts";

/**
 * Deletes pods of a StatefulSet that are not ready and of another revision than its template. The StatefulSet would wait for them
 * forever ("forced rollback" in the Kubernetes documentation). Until its controller has observed the template, a deleted pod would be
 * recreated from the previous one: then only pods that have not been ready since `before` are deleted, and none if it is null. The
 * Kubernetes API truncates times to seconds, so one of that second may be a new pod of the template, and is kept. While a
 * canary runs, deletes one of its pods below the partition too, if all others are available: after scaling these are stable ones.
 * Deletes none of a StatefulSet with the update strategy OnDelete: Pawl evicts these one at a time.
 * Throws `Conflict` while the operator of a Claw still has to change the template after a rollback.
 */
export async function deleteStuckPods(workload: StuckWorkload, before: Date | null, api: KubernetesApi): Promise<void> {
  const found = await readSet(workload, before, api);
  if (found === null) return;
  const { namespace } = workload.ref;
  const all = await api.listPods(namespace, formatLabelSelector(found.spec.selector));
  if (selectPods(found, all, before).length === 0) return;
  // The template may have changed between the two requests: then pods of the new one would count as old.
  const set = await readSet(workload, before, api);
  if (set === null) return;
  for (const { metadata } of selectPods(set, all, before)) await api.deletePod(namespace, metadata.name, metadata.uid);
}

type StuckWorkload = Pick<Workload, "ref" | "inFlight" | "failsWithoutPods">;

/** Returns the StatefulSet of a workload; null if none of its pods may be deleted. Throws as `deleteStuckPods`. */
async function readSet(
  { ref, inFlight, failsWithoutPods: isClaw }: StuckWorkload,
  before: Date | null,
  api: KubernetesApi,
): Promise<StatefulSet | null> {
  const { namespace } = ref;
  const name = ref.kind === statefulCanary.kind ? setNames({ metadata: ref }).stable : ref.name;
  const set = await api.get<StatefulSet>(statefulSet.resource, namespace, name);
  if (set === null || (set.spec.replicas ?? 1) === 0 || set.spec.updateStrategy?.type === "OnDelete") return null;
  if (isClaw && inFlight?.phase === "rollback" && (!isObserved(set) || runsImage(set, inFlight.target.image))) {
    throw new Conflict(
      `StatefulSet ${namespace}/${name} still has the image ${inFlight.target.image}; retry after its operator has changed it`,
    );
  }
  return before === null && !isObserved(set) ? null : set;
}

function isObserved({ metadata, status }: StatefulSet): boolean {
  return (status?.observedGeneration ?? 0) >= (metadata.generation ?? 1);
}

function selectPods(set: StatefulSet, all: readonly Pod[], before: Date | null): readonly Pod[] {
  const pods = all.filter(
    ({ metadata: { ownerReferences = [], deletionTimestamp } }) =>
      ownerReferences.some(({ uid }) => uid === set.metadata.uid) && deletionTimestamp === undefined,
  );
  const isOld = ({ metadata }: Pod) =>
    !isObserved(set) || metadata.labels?.[revisionLabel] !== set.status?.updateRevision;
  const latest = isObserved(set) ? before : secondsBefore(before, 1);
  const stuck = pods.filter((pod) => isOld(pod) && isStuck(pod, latest));
  const surplus = isComplete(set, pods) ? pods.filter((pod) => !isOld(pod) && isBelowPartition(pod, set)) : [];
  return [...stuck, ...surplus.slice(0, 1)];
}

/** Reports whether one of these pods may be deleted: all replicas are available. The status may be older than the pods. */
function isComplete({ spec, status = {} }: StatefulSet, pods: readonly Pod[]): boolean {
  const { replicas = 1 } = spec;
  const { readyReplicas = 0, availableReplicas = readyReplicas } = status;
  return pods.length === replicas && pods.every(isReady) && availableReplicas >= replicas;
}

/** While pods are replaced, others may not be ready for a moment: these are kept. */
function isStuck(pod: Pod, before: Date | null): boolean {
  return !isReady(pod) && (before === null || unreadySince(pod) <= before);
}

function secondsBefore(time: Date | null, seconds: number): Date | null {
  return time === null ? null : secondsAfter(time, -seconds);
}

/** Such a pod is recreated as a stable one. */
function isBelowPartition(pod: Pod, set: StatefulSet): boolean {
  const index = ordinalOf(pod) - (set.spec.ordinals?.start ?? 0);
  return isOwnPartition(set) && index < partitionOf(set);
}

function runsImage(set: StatefulSet, image: string): boolean {
  return allContainers(set).some((one) => isAsWritten(one.image ?? "", image));
}
