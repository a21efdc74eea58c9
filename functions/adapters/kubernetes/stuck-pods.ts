import { sameImage } from "../../domain/image-reference.ts";
import type { WorkloadRef } from "../../domain/workload.ts";
import { Conflict } from "../errors.ts";
import type { KubernetesApi } from "./api.ts";
import type { StatefulSet } from "./kinds/stateful-set.ts";
import { statefulSetKind } from "./kinds/stateful-set.ts";

export interface Pod {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly ownerReferences?: readonly { readonly uid: string }[];
  };
  readonly spec: { readonly containers: readonly { readonly image?: string }[] };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/**
 * Deletes the pods that a StatefulSet made of `image` and that never became ready: it waits for them for ever, also
 * after its template has gone back ("forced rollback" in the Kubernetes documentation), so nobody else takes them away.
 * While the template still asks for `image` a pod deleted would come back the same: where another's operator is to
 * change it, that throws `Conflict`; where Pawl changes it itself, there was nothing to go back to.
 */
export async function freeStuckPods(
  { kind, namespace, name }: WorkloadRef,
  image: string,
  api: KubernetesApi,
): Promise<void> {
  const set = await api.get<StatefulSet>(statefulSetKind.resource, namespace, name);
  if (set === null || (set.spec.replicas ?? 1) === 0) return;
  if (set.spec.template.spec.containers.some((container) => sameImage(container.image ?? "", image))) {
    if (kind === statefulSetKind.resource.kind) return;
    throw new Conflict(`StatefulSet ${namespace}/${name} still asks for ${image}`);
  }
  for (const pod of await api.listPods(namespace, set.spec.selector.matchLabels ?? {})) {
    const isOurs = pod.metadata.ownerReferences?.some(({ uid }) => uid === set.metadata.uid) ?? false;
    if (isOurs && isStuckOn(pod, image)) await api.deletePod(namespace, pod.metadata.name, pod.metadata.uid);
  }
}

function isStuckOn({ spec, status }: Pod, image: string): boolean {
  const isReady =
    status?.conditions?.some((condition) => condition.type === "Ready" && condition.status === "True") ?? false;
  return !isReady && spec.containers.some((container) => sameImage(container.image ?? "", image));
}
