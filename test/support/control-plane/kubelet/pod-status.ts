import { createHash } from "node:crypto";
import type { V1Pod, V1PodStatus } from "@kubernetes/client-node";

/** On a pod: "true" keeps it from becoming ready whatever its images are called. */
export const neverReadyAnnotation = "test.pawl.dev/never-ready";

/** The tests say by the name of an image whether it works: `app:1.2.0-bad` and `app:broken-3` do not. */
export function isBroken(pod: V1Pod): boolean {
  if (pod.metadata?.annotations?.[neverReadyAnnotation] === "true") return true;
  return containersOf(pod).some(({ image }) => /-bad$|broken/.test(tagOf(image ?? "")));
}

/** Whether the pod's status says of its present images and annotations what a kubelet would say. */
export function isReported(pod: V1Pod): boolean {
  const reported = pod.status?.containerStatuses ?? [];
  return (
    pod.status?.phase === "Running" &&
    reported.every(({ ready }) => ready === !isBroken(pod)) &&
    containersOf(pod).every(({ name, image }) => reported.some((one) => one.name === name && one.image === image))
  );
}

/** A pod whose containers all run, and are ready unless it is broken. */
export function runningStatus(pod: V1Pod, podIP: string, now: Date): V1PodStatus {
  const ready = !isBroken(pod);
  const since = pod.status?.startTime ?? now;
  const condition = (type: string, isTrue: boolean) => ({
    type,
    status: isTrue ? "True" : "False",
    lastTransitionTime: now,
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
    containerStatuses: containersOf(pod).map(({ name, image = "" }) => ({
      name,
      image,
      imageID: imageIdOf(image),
      containerID: `fake://${pod.metadata?.uid}/${name}`,
      ready,
      started: true,
      restartCount: 0,
      state: { running: { startedAt: now } },
    })),
  };
}

/** As the Docker runtime spells it. The digest stands for the image's name, for there is no content to take it of. */
function imageIdOf(image: string): string {
  if (image.includes("@")) return `docker-pullable://${image}`;
  return `docker-pullable://${image}@sha256:${createHash("sha256").update(image).digest("hex")}`;
}

function tagOf(image: string): string {
  const name = image.slice(image.lastIndexOf("/") + 1).split("@")[0] ?? "";
  return name.includes(":") ? name.slice(name.indexOf(":") + 1) : "";
}

function containersOf(pod: V1Pod) {
  return pod.spec?.containers ?? [];
}
