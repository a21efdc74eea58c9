import { isAsWritten } from "../../../../domain/image/reference.ts";
import type { KubernetesApi } from "../../api.ts";
import { isReady, type Pod, revisionLabel } from "../../pods/pod.ts";
import { formatLabelSelector } from "../../label-selector.ts";
import type { StatefulSet } from "../built-in/stateful-set.ts";

/**
 * Deletes the unready pods that a set no longer needs: all if it is scaled to 0, otherwise those of another revision. An ordered
 * StatefulSet waits forever for such a pod, also before it scales down.
 */
export async function deleteStuckPods(set: StatefulSet, api: KubernetesApi): Promise<void> {
  const { namespace, uid } = set.metadata;
  for (const pod of await api.listPods(namespace, formatLabelSelector(set.spec.selector))) {
    const isOurs = pod.metadata.ownerReferences?.some((owner) => owner.uid === uid) ?? false;
    if (isOurs && !isReady(pod) && !isNeeded(pod, set))
      await api.deletePod(namespace, pod.metadata.name, pod.metadata.uid);
  }
}

/** Until the controller has observed the template, its revision is not known: the image tells that a pod is of another one. */
function isNeeded(
  { metadata, spec }: Pod,
  { metadata: { generation = 1 }, spec: wanted, status }: StatefulSet,
): boolean {
  if (wanted.replicas === 0) return false;
  if ((status?.observedGeneration ?? 0) >= generation)
    return metadata.labels?.[revisionLabel] === status?.updateRevision;
  const image = wanted.template.spec.containers[0]?.image ?? "";
  return spec.containers.some((container) => isAsWritten(container.image ?? "", image));
}
