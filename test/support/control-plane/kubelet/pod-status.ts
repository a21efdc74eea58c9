import type { V1ContainerStatus, V1Pod, V1PodStatus } from "@kubernetes/client-node";
import type { Runs } from "./node-images.ts";

/** On a pod, or on the manifest of an image: "true" keeps it from becoming ready whatever its images are called. */
export const neverReadyAnnotation = "test.pawl.dev/never-ready";

/** The tests say by the name of an image whether it works: `app:1.2.0-bad` and `app:broken-3` do not. */
export function isBroken(pod: V1Pod, runs: Runs): boolean {
  if (pod.metadata?.annotations?.[neverReadyAnnotation] === "true") return true;
  return containersOf(pod).some(
    ({ name, image }) => /-bad$|broken/.test(tagOf(image ?? "")) || runs.get(name)?.isBroken === true,
  );
}

/** Whether the pod's status says of its present images and annotations what a kubelet would say. */
export function isReported(pod: V1Pod, runs: Runs): boolean {
  const reported = pod.status?.containerStatuses ?? [];
  return (
    pod.status?.phase === "Running" &&
    reported.every(({ ready }) => ready === !isBroken(pod, runs)) &&
    containersOf(pod).every(({ name, image }) => reported.some((one) => one.name === name && one.image === image))
  );
}

/** A pod whose containers all run, and are ready unless it is broken. */
export function runningStatus(pod: V1Pod, runs: Runs, podIP: string, now: Date): V1PodStatus {
  const ready = !isBroken(pod, runs);
  const since = pod.status?.startTime ?? now;
  const condition = (type: string, isTrue: boolean) => ({
    type,
    status: isTrue ? "True" : "False",
    lastTransitionTime: now,
  });
  const statusOf = ({ name, image = "" }: { name: string; image?: string }) => ({
    name,
    image,
    imageID: runs.get(name)?.imageId ?? "",
    containerID: `fake://${pod.metadata?.uid}/${name}`,
    restartCount: 0,
  });
  return {
    phase: "Running",
    podIP,
    podIPs: [{ ip: podIP }],
    hostIP: "127.0.0.1",
    startTime: since,
    conditions: [
      condition("PodScheduled", true),
      condition("Initialized", true),
      condition("ContainersReady", ready),
      condition("Ready", ready),
    ],
    containerStatuses: containersOf(pod).map((one): V1ContainerStatus => ({
      ...statusOf(one),
      ready,
      started: true,
      state: { running: { startedAt: now } },
    })),
    initContainerStatuses: (pod.spec?.initContainers ?? []).map((one): V1ContainerStatus => ({
      ...statusOf(one),
      ready: true,
      state: { terminated: { exitCode: 0, reason: "Completed", startedAt: now, finishedAt: now } },
    })),
  };
}

function tagOf(image: string): string {
  const name = image.slice(image.lastIndexOf("/") + 1).split("@")[0] ?? "";
  return name.includes(":") ? name.slice(name.indexOf(":") + 1) : "";
}

function containersOf(pod: V1Pod) {
  return pod.spec?.containers ?? [];
}
