import type { V1ContainerStatus, V1Pod, V1PodCondition, V1PodStatus } from "@kubernetes/client-node";
import type { LifeStage } from "./life.ts";
import type { PulledImages } from "./node-images.ts";
import { runningStatus } from "./pod-status.ts";

/** The types of the client are classes, which are not to be spread. */
type Plain<Type> = Pick<Type, keyof Type>;

/** Returns the status of a pod at a stage. A condition that has not changed keeps its time. */
export function lifeStatus(
  pod: V1Pod,
  images: PulledImages,
  { exits, isReady }: LifeStage,
  podIP: string,
  now: Date,
): V1PodStatus {
  const status: Plain<V1PodStatus> = runningStatus(pod, images, podIP, now);
  const terminated = { exitCode: 1, reason: "Error", startedAt: now, finishedAt: now };
  return {
    ...status,
    conditions: conditionsOf(pod, status.conditions ?? [], isReady),
    containerStatuses: (status.containerStatuses ?? []).map((one: Plain<V1ContainerStatus>) => ({
      ...one,
      ready: isReady,
      restartCount: exits,
      ...(exits > 0 ? { lastState: { terminated } } : {}),
    })),
  };
}

/** Returns the status of a pod whose image cannot be pulled. */
export function pullFailureStatus(pod: V1Pod, images: PulledImages, podIP: string, now: Date): V1PodStatus {
  const status: Plain<V1PodStatus> = runningStatus(pod, images, podIP, now);
  const waiting = { reason: "ImagePullBackOff", message: "429 Too Many Requests" };
  return {
    ...status,
    phase: "Pending",
    conditions: conditionsOf(pod, status.conditions ?? [], false),
    containerStatuses: (status.containerStatuses ?? []).map((one: Plain<V1ContainerStatus>) => ({
      ...one,
      ready: false,
      started: false,
      state: { waiting },
    })),
  };
}

function conditionsOf({ status }: V1Pod, conditions: readonly V1PodCondition[], isReady: boolean): V1PodCondition[] {
  return conditions.map((one: Plain<V1PodCondition>) => {
    const isOfReadiness = one.type === "Ready" || one.type === "ContainersReady";
    const after = isOfReadiness ? { ...one, status: isReady ? "True" : "False" } : one;
    const before = status?.conditions?.find(({ type }) => type === one.type);
    return before?.status === after.status && before.lastTransitionTime !== undefined
      ? { ...after, lastTransitionTime: before.lastTransitionTime }
      : after;
  });
}

/** Reports whether a pod has the status of a stage. */
export function isAtStage({ status }: V1Pod, { exits, isReady }: LifeStage): boolean {
  const [first] = status?.containerStatuses ?? [];
  return status?.phase === "Running" && first?.restartCount === exits && first.ready === isReady;
}
