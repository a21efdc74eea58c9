import { timestamp, type Fields, type KubeObject } from "../objects.ts";
import { pods } from "../resources.ts";
import { placeOf, type Api } from "../rules/api.ts";
import { destroy } from "../rules/destroy.ts";
import { patch } from "../rules/update.ts";
import { type ContainerSpec, digestIn, imageIdOf, nodeImages } from "./node-images.ts";
import { isReady } from "./workload.ts";

export interface KubeletOptions {
  /** Whether a container of this image, with this digest behind it, ever passes its readiness probe. */
  health(image: string, digest: string): boolean;
  /** The digest behind an image now; null where nothing is known of it. */
  digestOf(image: string): string | null;
  /** Simulated seconds from a pod's creation to its readiness. */
  readonly secondsToReady: number;
  /** Simulated seconds that an evicted pod takes to end. */
  readonly secondsToEnd: number;
  /** Resolves after so many simulated seconds. */
  sleep(seconds: number): Promise<void>;
}

/** Runs every pod on paper: it starts at once, and is ready after a while if all its images are healthy. */
export interface Kubelet {
  start(pod: KubeObject): void;
  /** Takes away a pod that is marked for deletion, once it has ended. */
  end(pod: KubeObject): void;
  /** Probes every pod once more, for where the health of an image has changed since. */
  recheck(): void;
}

/** By name of the container, what it runs. */
type ImageIds = Readonly<Record<string, string>>;

export function createKubelet(api: Api, options: KubeletOptions): Kubelet {
  const images = nodeImages((image) => options.digestOf(image));
  const imageIdsOf = (pod: KubeObject): ImageIds => {
    const { nodeName: node = "" } = pod["spec"] as { readonly nodeName?: string };
    const known = reportedIn(pod);
    const idOf = (one: ContainerSpec) => known[one.name] ?? imageIdOf(one.image, images.start(node, one));
    return Object.fromEntries(allContainers(pod).map((one) => [one.name, idOf(one)]));
  };
  const probe = (uid: string, pod: KubeObject): void => {
    const current = api.store.get(pods, pod.metadata.namespace ?? "", pod.metadata.name);
    if (current?.metadata.uid !== uid) return;
    const ids = imageIdsOf(current);
    const isHealthy = ({ name, image }: ContainerSpec) => options.health(image, digestIn(ids[name] ?? ""));
    report(api, current, ids, containers(current, "containers").every(isHealthy));
  };
  // A sleep that is broken off is that of a cluster that was closed.
  const after = (seconds: number, act: () => void): void => void options.sleep(seconds).then(act, () => undefined);
  return {
    start(pod) {
      if (options.secondsToReady <= 0) return probe(pod.metadata.uid, pod);
      report(api, pod, imageIdsOf(pod), false);
      after(options.secondsToReady, () => probe(pod.metadata.uid, pod));
    },
    end: (pod) => after(options.secondsToEnd, () => takeAway(api, pod)),
    recheck() {
      for (const pod of api.store.list(pods, null)) probe(pod.metadata.uid, pod);
    },
  };
}

function takeAway(api: Api, pod: KubeObject): void {
  const current = api.store.get(pods, pod.metadata.namespace ?? "", pod.metadata.name);
  if (current?.metadata.uid === pod.metadata.uid) destroy(api, placeOf(pods, current), {});
}

function report(api: Api, pod: KubeObject, ids: ImageIds, ready: boolean): void {
  const now = timestamp(api.now());
  const started = isReady(pod) === ready ? (pod["status"] as Fields)["startTime"] : undefined;
  if (started !== undefined) return;
  const word = ready ? "True" : "False";
  const condition = (type: string, status: string) => ({ type, status, lastTransitionTime: now });
  const init = containers(pod, "initContainers");
  const status = {
    phase: "Running",
    startTime: (pod["status"] as Fields | undefined)?.["startTime"] ?? now,
    conditions: [
      condition("Initialized", "True"),
      condition("Ready", word),
      condition("ContainersReady", word),
      condition("PodScheduled", "True"),
    ],
    ...(init.length > 0 && { initContainerStatuses: init.map((one) => ended(one, ids, now)) }),
    containerStatuses: containers(pod, "containers").map((one) => running(one, ids, ready, now)),
  };
  patch(api, placeOf(pods, pod), "status", { status }, "application/merge-patch+json");
}

function running({ name, image }: ContainerSpec, ids: ImageIds, ready: boolean, startedAt: string): Fields {
  const state = { running: { startedAt } };
  return { name, image, imageID: ids[name], ready, started: true, restartCount: 0, lastState: {}, state };
}

function ended({ name, image }: ContainerSpec, ids: ImageIds, finishedAt: string): Fields {
  const state = { terminated: { exitCode: 0, reason: "Completed", finishedAt } };
  return { name, image, imageID: ids[name], ready: true, restartCount: 0, lastState: {}, state };
}

/** What a container was started with it runs until its pod goes. */
function reportedIn(pod: KubeObject): ImageIds {
  const { containerStatuses = [], initContainerStatuses = [] } = (pod["status"] ?? {}) as Readonly<
    Record<string, readonly { readonly name: string; readonly imageID: string }[] | undefined>
  >;
  return Object.fromEntries(
    [...containerStatuses, ...initContainerStatuses].map(({ name, imageID }) => [name, imageID]),
  );
}

function containers(pod: KubeObject, list: "containers" | "initContainers"): readonly ContainerSpec[] {
  return ((pod["spec"] as Fields)[list] ?? []) as readonly ContainerSpec[];
}

function allContainers(pod: KubeObject): readonly ContainerSpec[] {
  return [...containers(pod, "containers"), ...containers(pod, "initContainers")];
}
