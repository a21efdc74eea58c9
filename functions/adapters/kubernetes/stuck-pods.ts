import { restartedAtAnnotation } from "../../domain/annotations.ts";
import { sameImage, withoutDigest } from "../../domain/image-reference.ts";
import type { WorkloadRef } from "../../domain/workload.ts";
import { Conflict } from "../errors.ts";
import type { KubernetesApi } from "./api.ts";
import type { StatefulSet } from "./kinds/stateful-set.ts";
import { statefulSet } from "./kinds/stateful-set.ts";
import type { PodTemplate } from "./objects.ts";
import type { Pod } from "./pod.ts";
import { selectorText } from "./selector.ts";

/**
 * Deletes the pods that a StatefulSet made of an earlier template and that are not ready: it waits for them for ever, also
 * after its template has changed ("forced rollback" in the Kubernetes documentation), so nobody else takes them away. With an
 * image, those that run it. While the template still asks for `image` a pod deleted would come back the same: where
 * another's operator is to change it, that throws `Conflict`; where Pawl changes it itself, there was nothing to go back to.
 */
export async function freeStuckPods(
  { kind, namespace, name }: WorkloadRef,
  image: string | null,
  api: KubernetesApi,
): Promise<void> {
  const set = await api.get<StatefulSet>(statefulSet.resource, namespace, name);
  if (set === null || (set.spec.replicas ?? 1) === 0) return;
  const { selector, template } = set.spec;
  if (image !== null && template.spec.containers.some((one) => sameImage(one.image ?? "", image))) {
    if (kind === statefulSet.resource.kind) return;
    throw new Conflict(`StatefulSet ${namespace}/${name} still asks for ${image}`);
  }
  for (const pod of await api.listPods(namespace, selectorText(selector))) {
    const isOurs = pod.metadata.ownerReferences?.some(({ uid }) => uid === set.metadata.uid) ?? false;
    const isStuck = isOurs && !isReady(pod) && isOfEarlier(pod, template) && (image === null || runs(pod, image));
    if (isStuck) await api.deletePod(namespace, pod.metadata.name, pod.metadata.uid);
  }
}

/** A restart changes nothing of a template but its time. */
function isOfEarlier({ metadata, spec }: Pod, template: PodTemplate): boolean {
  const [made, asked] = [metadata.annotations, template.metadata?.annotations];
  if (made?.[restartedAtAnnotation] !== asked?.[restartedAtAnnotation]) return true;
  return template.spec.containers.some(({ name, image }) =>
    spec.containers.some((one) => one.name === name && one.image !== image),
  );
}

/** Of a restart the image has a digest, which the pods do not name. */
function runs({ spec }: Pod, image: string): boolean {
  const names = [image, withoutDigest(image)];
  return spec.containers.some((one) => names.some((name) => sameImage(one.image ?? "", name)));
}

function isReady({ status }: Pod): boolean {
  return status?.conditions?.some(({ type, status: value }) => type === "Ready" && value === "True") ?? false;
}
