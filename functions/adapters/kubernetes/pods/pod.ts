import { findCause } from "../../../domain/health/cause.ts";
import type { Evidence } from "../../../domain/health/evidence.ts";
import type { ContainerFacts, PodFacts } from "../../../domain/health/pod-facts.ts";
import { annotations } from "../../../domain/workload/policy/annotations.ts";

/** The parts of a pod that Pawl reads. */
export interface Pod {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly creationTimestamp?: string | Date;
    readonly deletionTimestamp?: string | Date;
    readonly ownerReferences?: readonly { readonly uid: string }[];
  };
  readonly spec: {
    readonly containers: readonly { readonly name: string; readonly image?: string }[];
    readonly initContainers?: readonly { readonly name: string; readonly image?: string }[];
    readonly nodeName?: string;
    readonly readinessGates?: readonly { readonly conditionType: string }[];
  };
  readonly status?: {
    readonly phase?: string;
    readonly startTime?: string | Date;
    readonly reason?: string;
    readonly message?: string;
    readonly conditions?: readonly PodCondition[];
    readonly containerStatuses?: readonly ContainerStatus[];
    readonly initContainerStatuses?: readonly ContainerStatus[];
  };
}

/** The revision of a pod's template, set by the controller of a StatefulSet or DaemonSet. */
export const revisionLabel = "controller-revision-hash";
/** The same, set by that of a Deployment. */
export const templateLabel = "pod-template-hash";

interface PodCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string | Date;
}

export interface ContainerStatus {
  readonly name: string;
  /** Empty until the image is pulled. */
  readonly imageID?: string;
  readonly restartCount?: number;
  readonly state?: ContainerState;
  readonly lastState?: ContainerState;
}

interface ContainerState {
  readonly waiting?: { readonly reason?: string; readonly message?: string };
  readonly terminated?: {
    readonly exitCode: number;
    readonly reason?: string;
    readonly message?: string;
    readonly finishedAt?: string | Date;
  };
}

/** Reports whether the condition `Ready` of a pod is True. */
export function isReady({ status }: Pod): boolean {
  return readyCondition(status)?.status === "True";
}

/** Returns the ordinal of a pod of a StatefulSet. */
export function ordinalOf({ metadata: { name } }: Pod): number {
  return Number(name.slice(name.lastIndexOf("-") + 1));
}

/** Reports whether its owner keeps the pod as it is. */
export function isFrozen({ metadata }: Pod): boolean {
  return metadata.annotations?.[annotations.frozen] === "true";
}

/** Returns since when a pod is ready; null if it is not. */
export function readySince({ metadata, status }: Pod): Date | null {
  const condition = readyCondition(status);
  if (condition?.status !== "True") return null;
  return new Date(condition.lastTransitionTime ?? metadata.creationTimestamp ?? 0);
}

/** Returns why a pod is not ready, or has restarted. */
export function evidenceOf(pod: Pod): Evidence {
  return { pod: pod.metadata.name, cause: findCause(podFacts(pod)) };
}

/** Reports whether a container of the pod has exited with an error, at last or before its last restart. */
export function hasCrashed(pod: Pod): boolean {
  return errorExits(pod).length > 0;
}

/**
 * Reports whether a pod has failed since a time: a container exited with an error, or the pod was there before and is not ready since. One
 * that was created later may still be starting.
 */
export function hasFailedSince(pod: Pod, time: Date): boolean {
  if (errorExits(pod).some(({ finishedAt }) => finishedAt !== undefined && new Date(finishedAt) >= time)) return true;
  const { creationTimestamp } = pod.metadata;
  const wasThere = creationTimestamp !== undefined && new Date(creationTimestamp) < time;
  return wasThere && !isReady(pod) && unreadySince(pod) >= time;
}

function errorExits({ status }: Pod) {
  const { containerStatuses = [], initContainerStatuses = [] } = status ?? {};
  return [...containerStatuses, ...initContainerStatuses]
    .flatMap(({ state, lastState }) => [state?.terminated, lastState?.terminated])
    .filter((one) => one !== undefined && one.exitCode !== 0) as readonly NonNullable<ContainerState["terminated"]>[];
}

/** Returns since when a pod that is not ready has not been: since it was created if it never was. */
export function unreadySince({ metadata, status }: Pod): Date {
  return new Date(readyCondition(status)?.lastTransitionTime ?? metadata.creationTimestamp ?? 0);
}

/** Returns what the status of a pod says of its health. */
export function podFacts({ metadata: { name }, status = {} }: Pod): PodFacts {
  const { phase, reason, message, conditions = [], containerStatuses = [], initContainerStatuses = [] } = status;
  return {
    name,
    phase,
    reason,
    message,
    conditions,
    containers: [
      ...initContainerStatuses.map((one) => containerFacts(one, true)),
      ...containerStatuses.map((one) => containerFacts(one, false)),
    ],
  };
}

function containerFacts(
  { name, restartCount = 0, state, lastState }: ContainerStatus,
  isInit: boolean,
): ContainerFacts {
  const terminated = state?.terminated ?? lastState?.terminated ?? null;
  return { name, isInit, restarts: restartCount, waiting: state?.waiting ?? null, terminated };
}

/** Returns the status of a condition of a pod; undefined if it has no such condition. */
export function conditionOf({ status }: Pod, type: string): string | undefined {
  return status?.conditions?.find((condition) => condition.type === type)?.status;
}

export function readyCondition(status: Pod["status"]): PodCondition | undefined {
  return status?.conditions?.find(({ type }) => type === "Ready");
}
