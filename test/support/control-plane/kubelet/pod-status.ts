import type { V1Pod, V1PodStatus } from "@kubernetes/client-node";
import {
  isReported as isStatusReported,
  runningStatus as podRunningStatus,
} from "../../../../infra/local/kubernetes/controllers/pod-status.ts";
import type { PulledImages } from "./node-images.ts";
import { neverReadyAnnotation } from "./pull.ts";

/** Reports whether the pod never becomes ready: its annotation says so, or it crashes. */
export function isBroken(pod: V1Pod, images: PulledImages): boolean {
  return pod.metadata?.annotations?.[neverReadyAnnotation] === "true" || isCrashing(pod, images);
}

/** Reports whether a container exits whenever it starts. Image names decide it: `app:1.2.0-bad` and `app:broken-3` do. */
function isCrashing(pod: V1Pod, images: PulledImages): boolean {
  return containersOf(pod).some(
    ({ name, image }) => /-bad$|broken/.test(tagOf(image ?? "")) || images.get(name)?.isBroken === true,
  );
}

/** Reports whether the pod's status is up to date with its images and annotations. */
export function isReported(pod: V1Pod, images: PulledImages): boolean {
  return isStatusReported(pod, !isBroken(pod, images));
}

/** Returns the status of a running pod, which is ready unless it is broken, or has not passed its probe. What has exited before is kept. */
export function runningStatus(
  pod: V1Pod,
  images: PulledImages,
  podIP: string,
  now: Date,
  passesProbe = true,
): V1PodStatus {
  const imageIds = new Map([...images].map(([name, { imageId }]) => [name, imageId]));
  const status = podRunningStatus<Date>(pod, { imageIds, isReady: passesProbe && !isBroken(pod, images), now });
  const crash = {
    restartCount: 3,
    started: false,
    state: { waiting: { reason: "CrashLoopBackOff" } },
    lastState: { terminated: { exitCode: 1, reason: "Error", message: "no DB_URL", startedAt: now, finishedAt: now } },
  };
  const withId = <T extends { name: string }>(one: T) => {
    return { ...one, containerID: `fake://${pod.metadata?.uid}/${one.name}` };
  };
  return {
    ...status,
    podIP,
    podIPs: [{ ip: podIP }],
    hostIP: "127.0.0.1",
    containerStatuses: status.containerStatuses.map((one) => {
      const { restartCount = 0, lastState = {} } =
        pod.status?.containerStatuses?.find(({ name }) => name === one.name) ?? {};
      return { ...withId(one), restartCount, lastState, ...(isCrashing(pod, images) && crash) };
    }),
    ...(status.initContainerStatuses && { initContainerStatuses: status.initContainerStatuses.map(withId) }),
  };
}

function tagOf(image: string): string {
  const name = image.slice(image.lastIndexOf("/") + 1).split("@")[0] ?? "";
  return name.includes(":") ? name.slice(name.indexOf(":") + 1) : "";
}

function containersOf(pod: V1Pod) {
  return [...(pod.spec?.containers ?? []), ...(pod.spec?.initContainers ?? [])];
}
