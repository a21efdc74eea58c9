import { timestamp, type Fields, type KubeObject } from "../objects.ts";
import { pods } from "../resources.ts";
import { refOf, type Api } from "../verbs/context.ts";
import { deleteObject } from "../verbs/delete.ts";
import { patch } from "../verbs/update.ts";
import { type ContainerSpec, digestOfImageId, toImageId, createNodeImages } from "./nodes/node-images.ts";
import { isReported, type PodFields, runningStatus } from "./pod-status.ts";

export interface KubeletOptions {
  /** Reports whether a container of this image and digest passes its readiness probe. */
  health(image: string, digest: string): boolean;
  /** Reports whether a container that is not healthy exits again and again. */
  crashes(image: string): boolean;
  /** Resolves an image to its current digest; null if it is unknown. */
  digestOf(image: string): string | null;
  /** Simulated seconds from a pod's creation to its readiness. */
  readonly secondsToReady: number;
  /** Simulated seconds from a pod's eviction to its removal. */
  readonly secondsToTerminate: number;
  /** Sleeps for simulated seconds. */
  sleep(seconds: number): Promise<void>;
}

/** Simulates running pods: a pod starts at once and becomes ready after a delay if all its images are healthy. */
export interface Kubelet {
  start(pod: KubeObject): void;
  /** Removes a terminating pod after its termination time. */
  terminate(pod: KubeObject): void;
  /** Probes every pod again, after the health of an image has changed. */
  recheck(): void;
}

/** The image ID of each container, by the container's name. */
type ImageIds = ReadonlyMap<string, string>;

export function createKubelet(api: Api, options: KubeletOptions): Kubelet {
  const images = createNodeImages((image) => options.digestOf(image));
  const imageIdsOf = (pod: KubeObject): ImageIds => {
    const { nodeName: node = "" } = pod["spec"] as { readonly nodeName?: string };
    const reported = reportedImageIds(pod);
    const idOf = (one: ContainerSpec) => reported.get(one.name) ?? toImageId(one.image, images.pull(node, one));
    return new Map(allContainers(pod).map((one) => [one.name, idOf(one)]));
  };
  const probe = (uid: string, pod: KubeObject): void => {
    const current = api.store.get(pods, pod.metadata.namespace ?? "", pod.metadata.name);
    if (current?.metadata.uid !== uid) return;
    const ids = imageIdsOf(current);
    const isHealthy = ({ name, image }: ContainerSpec) => options.health(image, digestOfImageId(ids.get(name) ?? ""));
    const isReady = containers(current, "containers").every(isHealthy);
    report(api, current, ids, isReady, options);
  };
  // A sleep rejects if the cluster was closed.
  const after = (seconds: number, act: () => void): void => void options.sleep(seconds).then(act, () => undefined);
  return {
    start(pod) {
      if (options.secondsToReady <= 0) return probe(pod.metadata.uid, pod);
      report(api, pod, imageIdsOf(pod), false, null);
      after(options.secondsToReady, () => probe(pod.metadata.uid, pod));
    },
    terminate: (pod) => after(options.secondsToTerminate, () => removePod(api, pod)),
    recheck() {
      for (const pod of api.store.list(pods, null)) probe(pod.metadata.uid, pod);
    },
  };
}

function removePod(api: Api, pod: KubeObject): void {
  const current = api.store.get(pods, pod.metadata.namespace ?? "", pod.metadata.name);
  if (current?.metadata.uid === pod.metadata.uid) deleteObject(api, refOf(pods, current), {});
}

/** `options` is null for a pod that is only starting. */
function report(
  api: Api,
  pod: KubeObject,
  imageIds: ImageIds,
  isReady: boolean,
  options: Pick<KubeletOptions, "crashes"> | null,
): void {
  const fields = pod as PodFields<string>;
  const hasCrashed =
    !isReady && options !== null && containers(pod, "containers").some(({ image }) => options.crashes(image));
  if ((isReported(fields, isReady) && !hasCrashed) || fields.status?.phase === "Failed") return;
  const status = runningStatus(fields, { imageIds, isReady, hasCrashed, now: timestamp(api.now()) });
  patch(api, refOf(pods, pod), "status", { status }, "application/merge-patch+json");
}

/** Returns the image IDs that the pod's status contains. A container runs the same image until its pod is removed. */
function reportedImageIds(pod: KubeObject): ImageIds {
  const { containerStatuses = [], initContainerStatuses = [] } = (pod["status"] ?? {}) as Readonly<
    Record<string, readonly { readonly name: string; readonly imageID: string }[] | undefined>
  >;
  return new Map([...containerStatuses, ...initContainerStatuses].map(({ name, imageID }) => [name, imageID]));
}

function containers(pod: KubeObject, list: "containers" | "initContainers"): readonly ContainerSpec[] {
  return ((pod["spec"] as Fields)[list] ?? []) as readonly ContainerSpec[];
}

function allContainers(pod: KubeObject): readonly ContainerSpec[] {
  return [...containers(pod, "containers"), ...containers(pod, "initContainers")];
}
