import { sameImage } from "../../../domain/image-reference.ts";
import type { KubernetesApi } from "../api.ts";
import type { Pod } from "../pod.ts";
import { selectorText } from "../selector.ts";
import type { StatefulSet } from "./stateful-set.ts";

/**
 * Deletes the pods of a set that are not ready and that it is to have no longer: all where it is scaled to 0, otherwise
 * those of another image. A StatefulSet that goes by order waits for ever for such a pod, also before it scales down.
 */
export async function freeStuckPods(set: StatefulSet, api: KubernetesApi): Promise<void> {
  const { namespace, uid } = set.metadata;
  const image = set.spec.replicas === 0 ? null : (set.spec.template.spec.containers[0]?.image ?? "");
  for (const pod of await api.listPods(namespace, selectorText(set.spec.selector))) {
    const isOurs = pod.metadata.ownerReferences?.some((owner) => owner.uid === uid) ?? false;
    if (isOurs && !isReady(pod) && !runs(pod, image))
      await api.deletePod(namespace, pod.metadata.name, pod.metadata.uid);
  }
}

function runs({ spec }: Pod, image: string | null): boolean {
  return image !== null && spec.containers.some((container) => sameImage(container.image ?? "", image));
}

function isReady({ status }: Pod): boolean {
  return status?.conditions?.some(({ type, status: value }) => type === "Ready" && value === "True") ?? false;
}
