import { isSameImage } from "../../../../domain/image/reference.ts";
import type { KubernetesApi } from "../../api.ts";
import { isReady, type Pod } from "../../pod.ts";
import { formatLabelSelector } from "../../label-selector.ts";
import type { StatefulSet } from "../stateful-set.ts";

/**
 * Deletes the unready pods that a set no longer needs: all if it is scaled to 0, otherwise those with another image. An ordered
 * StatefulSet waits forever for such a pod, also before it scales down.
 */
export async function deleteStuckPods(set: StatefulSet, api: KubernetesApi): Promise<void> {
  const { namespace, uid } = set.metadata;
  const image = set.spec.replicas === 0 ? null : (set.spec.template.spec.containers[0]?.image ?? "");
  for (const pod of await api.listPods(namespace, formatLabelSelector(set.spec.selector))) {
    const isOurs = pod.metadata.ownerReferences?.some((owner) => owner.uid === uid) ?? false;
    if (isOurs && !isReady(pod) && !runs(pod, image))
      await api.deletePod(namespace, pod.metadata.name, pod.metadata.uid);
  }
}

function runs({ spec }: Pod, image: string | null): boolean {
  return image !== null && spec.containers.some((container) => isSameImage(container.image ?? "", image));
}
