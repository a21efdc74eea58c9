import { restartedAtAnnotation } from "../../domain/workload/annotations.ts";
import { isSameImage, withoutDigest } from "../../domain/image/reference.ts";
import type { WorkloadRef } from "../../domain/workload/workload.ts";
import { Conflict } from "../../ports/errors.ts";
import type { KubernetesApi } from "./api.ts";
import type { StatefulSet } from "./kinds/stateful-set.ts";
import { statefulSet } from "./kinds/stateful-set.ts";
import type { PodTemplate } from "./objects.ts";
import { isReady, type Pod } from "./pod.ts";
import { formatLabelSelector } from "./label-selector.ts";

/**
 * Deletes unready pods that a StatefulSet created from a previous template; if `image` is given, only those that run it. The
 * StatefulSet would wait for them forever ("forced rollback" in the Kubernetes documentation). If the template still has `image`, a
 * deleted pod would be recreated with it. Then this throws `Conflict` if an operator still has to change the template, and does
 * nothing if Pawl changes it itself: there was no previous image.
 */
export async function deleteStuckPods(
  { kind, namespace, name }: WorkloadRef,
  image: string | null,
  api: KubernetesApi,
): Promise<void> {
  const set = await api.get<StatefulSet>(statefulSet.resource, namespace, name);
  if (set === null || (set.spec.replicas ?? 1) === 0) return;
  const { selector, template } = set.spec;
  if (image !== null && template.spec.containers.some((one) => isSameImage(one.image ?? "", image))) {
    if (kind === statefulSet.resource.kind) return;
    throw new Conflict(
      `StatefulSet ${namespace}/${name} still has the image ${image}; retry after its operator has changed it`,
    );
  }
  for (const pod of await api.listPods(namespace, formatLabelSelector(selector))) {
    const isOurs = pod.metadata.ownerReferences?.some(({ uid }) => uid === set.metadata.uid) ?? false;
    const isStuck =
      isOurs && !isReady(pod) && isFromPreviousTemplate(pod, template) && (image === null || runsImage(pod, image));
    if (isStuck) await api.deletePod(namespace, pod.metadata.name, pod.metadata.uid);
  }
}

/** A restart changes only the `restartedAt` annotation of the template. */
function isFromPreviousTemplate({ metadata, spec }: Pod, template: PodTemplate): boolean {
  const [current, desired] = [metadata.annotations, template.metadata?.annotations];
  if (current?.[restartedAtAnnotation] !== desired?.[restartedAtAnnotation]) return true;
  return template.spec.containers.some(({ name, image }) =>
    spec.containers.some((one) => one.name === name && one.image !== image),
  );
}

/** The target image of a restart has a digest, which the images of the pods lack. */
function runsImage({ spec }: Pod, image: string): boolean {
  const names = [image, withoutDigest(image)];
  return spec.containers.some((one) => names.some((name) => isSameImage(one.image ?? "", name)));
}
