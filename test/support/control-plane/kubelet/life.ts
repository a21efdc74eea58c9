import type { V1Pod, V1PodCondition, V1PodStatus } from "@kubernetes/client-node";
import { type PulledImages } from "./node-images.ts";
import { runningStatus } from "./pod-status.ts";

/** Annotations of an image manifest: how each of its pods lives. Times are seconds. */
export const lifeAnnotations = {
  /** After this time a container that has started is ready. */
  start: "test.pawl.dev/start-seconds",
  /** After this time a container that is ready exits with code 1, and starts again at once. */
  live: "test.pawl.dev/live-seconds",
  /** So many containers exit before they are ready; these are left out of `live`. */
  exitsBefore: "test.pawl.dev/exits-before-ready",
  /** So many pods can pull it. Later ones wait in ImagePullBackOff. */
  pulls: "test.pawl.dev/pulls",
} as const;

export interface Life {
  readonly startSeconds: number;
  readonly liveSeconds: number;
  readonly exitsBefore: number;
  readonly pulls: number;
}

/** Reads the life of a manifest; null if it has none. */
export function readLife(annotations: Readonly<Record<string, string>>): Life | null {
  if (!Object.values(lifeAnnotations).some((name) => name in annotations)) return null;
  const read = (name: string, absent: number) => Number(annotations[name] ?? absent);
  return {
    startSeconds: read(lifeAnnotations.start, 0),
    liveSeconds: read(lifeAnnotations.live, Infinity),
    exitsBefore: read(lifeAnnotations.exitsBefore, 0),
    pulls: read(lifeAnnotations.pulls, Infinity),
  };
}

/** Where a pod is in its life after `seconds`, and when that changes; Infinity if it does not. */
export interface LifeStage {
  readonly exits: number;
  readonly isReady: boolean;
  readonly leftSeconds: number;
}

export function stageOf({ startSeconds, liveSeconds, exitsBefore }: Life, seconds: number): LifeStage {
  const early = Math.min(exitsBefore, startSeconds === 0 ? exitsBefore : Math.floor(seconds / startSeconds));
  const rest = seconds - early * startSeconds;
  if (early < exitsBefore) return { exits: early, isReady: false, leftSeconds: startSeconds - rest };
  const cycle = startSeconds + liveSeconds;
  const exits = cycle === Infinity ? 0 : Math.floor(rest / cycle);
  const inCycle = exits === 0 ? rest : rest - exits * cycle;
  const isReady = inCycle >= startSeconds;
  return { exits: early + exits, isReady, leftSeconds: isReady ? cycle - inCycle : startSeconds - inCycle };
}

/** Returns the status of a pod at a stage. A condition that has not changed keeps its time. */
export function lifeStatus(
  pod: V1Pod,
  images: PulledImages,
  { exits, isReady }: LifeStage,
  podIP: string,
  now: Date,
): V1PodStatus {
  const status = runningStatus(pod, images, podIP, now);
  const terminated = { exitCode: 1, reason: "Error", startedAt: now, finishedAt: now };
  return {
    ...status,
    conditions: conditionsOf(pod, status.conditions ?? [], isReady),
    containerStatuses: (status.containerStatuses ?? []).map((one) => ({
      ...one,
      ready: isReady,
      restartCount: exits,
      ...(exits > 0 ? { lastState: { terminated } } : {}),
    })),
  };
}

/** Returns the status of a pod whose image cannot be pulled. */
export function pullFailureStatus(pod: V1Pod, images: PulledImages, podIP: string, now: Date): V1PodStatus {
  const status = runningStatus(pod, images, podIP, now);
  const waiting = { reason: "ImagePullBackOff", message: "429 Too Many Requests" };
  return {
    ...status,
    phase: "Pending",
    conditions: conditionsOf(pod, status.conditions ?? [], false),
    containerStatuses: (status.containerStatuses ?? []).map((one) => ({
      ...one,
      ready: false,
      started: false,
      state: { waiting },
    })),
  };
}

function conditionsOf({ status }: V1Pod, conditions: readonly V1PodCondition[], isReady: boolean): V1PodCondition[] {
  return conditions.map((one) => {
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
