import { createHash } from "node:crypto";
import { timestamp, type Fields, type KubeObject } from "../objects.ts";
import { pods } from "../resources.ts";
import { placeOf, type Api } from "../rules/api.ts";
import { patch } from "../rules/update.ts";
import { isReady } from "./workload.ts";

export interface KubeletOptions {
  /** Whether a container of this image ever passes its readiness probe. */
  health(image: string): boolean;
  /** Simulated seconds from a pod's creation to its readiness. */
  readonly secondsToReady: number;
  /** Resolves after so many simulated seconds. */
  sleep(seconds: number): Promise<void>;
}

/** Runs every pod on paper: it starts at once, and is ready after a while if all its images are healthy. */
export interface Kubelet {
  start(pod: KubeObject): void;
  /** Probes every pod once more, for where the health of an image has changed since. */
  recheck(): void;
}

export function createKubelet(api: Api, options: KubeletOptions): Kubelet {
  const probe = (uid: string, pod: KubeObject): void => {
    const current = api.store.get(pods, pod.metadata.namespace ?? "", pod.metadata.name);
    if (current?.metadata.uid === uid)
      report(
        api,
        current,
        images(current).every((image) => options.health(image)),
      );
  };
  return {
    start(pod) {
      if (options.secondsToReady <= 0) return probe(pod.metadata.uid, pod);
      report(api, pod, false);
      void options.sleep(options.secondsToReady).then(
        () => probe(pod.metadata.uid, pod),
        () => undefined, // the cluster was closed meanwhile
      );
    },
    recheck() {
      for (const pod of api.store.list(pods, null)) probe(pod.metadata.uid, pod);
    },
  };
}

function report(api: Api, pod: KubeObject, ready: boolean): void {
  const now = timestamp(api.now());
  const started = isReady(pod) === ready ? (pod["status"] as Fields)["startTime"] : undefined;
  if (started !== undefined) return;
  const word = ready ? "True" : "False";
  const condition = (type: string, status: string) => ({ type, status, lastTransitionTime: now });
  const status = {
    phase: "Running",
    startTime: (pod["status"] as Fields | undefined)?.["startTime"] ?? now,
    conditions: [
      condition("Initialized", "True"),
      condition("Ready", word),
      condition("ContainersReady", word),
      condition("PodScheduled", "True"),
    ],
    containerStatuses: containers(pod).map((container) => containerStatus(container, ready, now)),
  };
  patch(api, placeOf(pods, pod), "status", { status }, "application/merge-patch+json");
}

function containerStatus({ name, image }: { name: string; image: string }, ready: boolean, startedAt: string): Fields {
  const digest = createHash("sha256").update(image).digest("hex");
  const imageID = `docker-pullable://${image.replace(/[:@][^/]*$/, "")}@sha256:${digest}`;
  return {
    name,
    image,
    imageID,
    ready,
    started: true,
    restartCount: 0,
    lastState: {},
    state: { running: { startedAt } },
  };
}

function containers(pod: KubeObject): readonly { name: string; image: string }[] {
  return ((pod["spec"] as Fields)["containers"] ?? []) as { name: string; image: string }[];
}

function images(pod: KubeObject): readonly string[] {
  return containers(pod).map(({ image }) => image);
}
