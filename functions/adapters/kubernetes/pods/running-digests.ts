import type { ContainerDigest } from "../../../domain/workload/digest/tracking.ts";
import type { WorkloadRef } from "../../../domain/workload/workload.ts";
import type { KubernetesApi } from "../api.ts";
import type { KubernetesObject, Resource } from "../objects.ts";
import { roleOf } from "../kinds/canary/beside.ts";
import { isReady, type Pod } from "./pod.ts";
import type { LabelSelector } from "../../../domain/text/label-selector.ts";
import { formatLabelSelector } from "../label-selector.ts";

interface WithSelector extends KubernetesObject {
  readonly spec: { readonly selector?: LabelSelector };
}

/** Returns the digest of each container in the workload's pods, as the kubelet reports it. Skips pods that terminate or have ended. */
export async function readRunningDigests(
  { namespace, name, uid }: WorkloadRef,
  resource: Resource,
  api: KubernetesApi,
): Promise<readonly ContainerDigest[]> {
  const object = await api.get<WithSelector>(resource, namespace, name);
  const selector = formatLabelSelector(object?.spec.selector);
  if (object?.metadata.uid !== uid || selector === "") return [];
  const pods = await api.listPods(namespace, selector);
  return pods.filter(isActive).flatMap(digestsOf);
}

/** The pods of a baseline run the image before the update until they are deleted, which may be later. */
function isActive({ metadata, status }: Pod): boolean {
  if (roleOf(metadata) === "baseline") return false;
  return metadata.deletionTimestamp === undefined && status?.phase !== "Succeeded" && status?.phase !== "Failed";
}

/**
 * Parses `docker.io/library/nginx@sha256:…`, which some runtimes prefix with `docker-pullable://`. Without a repository it is the
 * digest of the image's configuration: that of an image that was not pulled, or whose repository the runtime forgot.
 */
function digestsOf(pod: Pod): readonly ContainerDigest[] {
  const { spec, status } = pod;
  const unready = isReady(pod) ? {} : { isUnready: true as const };
  const statuses = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])];
  return statuses.flatMap(({ name, imageID = "" }) =>
    imageID === "" ? [] : [{ container: name, ...parseImageId(imageID), ...imageOf(spec, name), ...unready }],
  );
}

function imageOf({ containers, initContainers = [] }: Pod["spec"], name: string): Pick<ContainerDigest, "image"> {
  const image = [...containers, ...initContainers].find((one) => one.name === name)?.image;
  return image === undefined ? {} : { image };
}

function parseImageId(imageId: string): Omit<ContainerDigest, "container"> {
  const at = imageId.lastIndexOf("@");
  return { digest: imageId.slice(at + 1), ...(at === -1 ? { isConfig: true } : {}) };
}
