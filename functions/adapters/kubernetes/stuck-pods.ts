import { isSameImage } from "../../domain/image/reference.ts";
import type { Workload } from "../../domain/workload/workload.ts";
import { Conflict } from "../../ports/errors.ts";
import type { KubernetesApi } from "./api.ts";
import { allContainers } from "./kinds/pod-template.ts";
import type { StatefulSet } from "./kinds/stateful-set.ts";
import { isOwnPartition, partitionOf, statefulSet } from "./kinds/stateful-set.ts";
import { resource as statefulCanary } from "./kinds/stateful-canary/object.ts";
import { setNames } from "./kinds/stateful-canary/set.ts";
import { isReady, type Pod, revisionLabel, unreadySince } from "./pod.ts";
import { formatLabelSelector } from "./label-selector.ts";

/**
 * Deletes pods of a StatefulSet that are not ready and of another revision than its template. The StatefulSet would wait for them
 * forever ("forced rollback" in the Kubernetes documentation). Until its controller has observed the template, a deleted pod would be
 * recreated from the previous one: then only pods that have not been ready since `before` are deleted, and none if it is null. While a
 * canary runs, deletes its pods below the partition too: they were created when the StatefulSet was scaled up.
 * Throws `Conflict` while the operator of a Claw still has to change the template after a rollback.
 */
export async function deleteStuckPods(
  { ref, inFlight, failsWithoutPods: isClaw }: Pick<Workload, "ref" | "inFlight" | "failsWithoutPods">,
  before: Date | null,
  api: KubernetesApi,
): Promise<void> {
  const { namespace } = ref;
  const name = ref.kind === statefulCanary.kind ? setNames({ metadata: ref }).stable : ref.name;
  const set = await api.get<StatefulSet>(statefulSet.resource, namespace, name);
  if (set === null || (set.spec.replicas ?? 1) === 0) return;
  const isObserved = (set.status?.observedGeneration ?? 0) >= (set.metadata.generation ?? 1);
  if (isClaw && inFlight?.phase === "rollback" && (!isObserved || runsImage(set, inFlight.targetImage))) {
    throw new Conflict(
      `StatefulSet ${namespace}/${name} still has the image ${inFlight.targetImage}; retry after its operator has changed it`,
    );
  }
  if (before === null && !isObserved) return;
  for (const pod of await api.listPods(namespace, formatLabelSelector(set.spec.selector))) {
    const { uid, deletionTimestamp, labels = {}, ownerReferences = [] } = pod.metadata;
    const isOurs = ownerReferences.some((owner) => owner.uid === set.metadata.uid) && deletionTimestamp === undefined;
    const isOtherRevision = !isObserved || labels[revisionLabel] !== set.status?.updateRevision;
    const isUnwanted = isOtherRevision ? isStuck(pod, before) : isBelowPartition(pod, set);
    if (isOurs && isUnwanted) await api.deletePod(namespace, pod.metadata.name, uid);
  }
}

/** While pods are replaced, others may not be ready for a moment: these are kept. */
function isStuck(pod: Pod, before: Date | null): boolean {
  return !isReady(pod) && (before === null || unreadySince(pod) <= before);
}

/** Such a pod is recreated as a stable one. */
function isBelowPartition({ metadata: { name } }: Pod, set: StatefulSet): boolean {
  const ordinal = Number(name.slice(name.lastIndexOf("-") + 1)) - (set.spec.ordinals?.start ?? 0);
  return isOwnPartition(set) && ordinal < partitionOf(set);
}

function runsImage(set: StatefulSet, image: string): boolean {
  return allContainers(set).some((one) => isSameImage(one.image ?? "", image));
}
