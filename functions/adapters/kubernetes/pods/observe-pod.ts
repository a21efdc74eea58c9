import { findCause } from "../../../domain/health/cause.ts";
import type { ObservedPod } from "../../../domain/health/observed-pod.ts";
import { type ContainerStatus, isReady, type Pod, podFacts, readyCondition } from "./pod.ts";

/** Returns what the status of a pod says. A pod that is `excused`, for what Pawl knows of its node, is not blamed for anything. */
export function observePod(pod: Pod, isExcused: boolean): ObservedPod {
  const { metadata, status } = pod;
  const cause = findCause(podFacts(pod));
  const containers = countedContainers(pod);
  const exits = containers.map((one) => (one.restartCount ?? 0) + (hasEnded(one) ? 1 : 0));
  return {
    name: metadata.name,
    uid: metadata.uid,
    createdAt: new Date(metadata.creationTimestamp ?? 0),
    startedAt: toDate(status?.startTime),
    isReady: isReady(pod),
    readyChangedAt: toDate(readyCondition(status)?.lastTransitionTime),
    exits: exits.reduce((sum, one) => sum + one, 0),
    exitedAt: lastExit(containers),
    cause: isExcused ? { ...cause, blames: "excused" } : cause,
  };
}

/** Init containers that have completed are left out: a restart of the pod's sandbox runs them again. A sidecar that is one runs on. */
function countedContainers({ status }: Pod): readonly ContainerStatus[] {
  const { containerStatuses = [], initContainerStatuses = [] } = status ?? {};
  return [...initContainerStatuses.filter(({ state }) => state?.terminated?.exitCode !== 0), ...containerStatuses];
}

/** The kubelet counts an exit as a restart once the container runs again. */
function hasEnded({ state, lastState }: ContainerStatus): boolean {
  if (state?.terminated !== undefined) return true;
  return state?.waiting !== undefined && lastState?.terminated !== undefined;
}

function lastExit(containers: readonly ContainerStatus[]): Date | null {
  const times = containers
    .flatMap(({ state, lastState }) => [state?.terminated?.finishedAt, lastState?.terminated?.finishedAt])
    .flatMap((time) => toDate(time)?.getTime() ?? []);
  return times.length === 0 ? null : new Date(Math.max(...times));
}

function toDate(time: string | Date | undefined): Date | null {
  return time === undefined ? null : new Date(time);
}
