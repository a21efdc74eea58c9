import type { ContainerDigest } from "../../domain/tracking.ts";
import type { WorkloadRef } from "../../domain/workload.ts";
import type { KubernetesApi } from "./api.ts";
import type { KubernetesObject, Resource } from "./objects.ts";
import type { Pod } from "./pod.ts";
import type { LabelSelector } from "../../domain/label-selector.ts";
import { selectorText } from "./selector.ts";

interface WithSelector extends KubernetesObject {
  readonly spec: { readonly selector?: LabelSelector };
}

/** What the containers of its pods run, by the digest that their nodes report; nothing of pods that are about to go. */
export async function runningDigests(
  { namespace, name, uid }: WorkloadRef,
  resource: Resource,
  api: KubernetesApi,
): Promise<readonly ContainerDigest[]> {
  const object = await api.get<WithSelector>(resource, namespace, name);
  const selector = selectorText(object?.spec.selector);
  if (object?.metadata.uid !== uid || selector === "") return [];
  const pods = await api.listPods(namespace, selector);
  return pods.filter(isStaying).flatMap(digestsOf);
}

function isStaying({ metadata, status }: Pod): boolean {
  return metadata.deletionTimestamp === undefined && status?.phase !== "Succeeded" && status?.phase !== "Failed";
}

/** `docker.io/library/nginx@sha256:…`, with some runtimes after `docker-pullable://`. */
function digestsOf({ status }: Pod): readonly ContainerDigest[] {
  const statuses = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])];
  return statuses.flatMap(({ name, imageID = "" }) =>
    imageID === "" ? [] : [{ container: name, digest: imageID.slice(imageID.lastIndexOf("@") + 1) }],
  );
}
