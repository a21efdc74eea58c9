import type { Cause } from "../../health/cause.ts";

/** A pod of a workload whose pods Pawl replaces. */
export interface RolledPod {
  readonly name: string;
  readonly uid: string;
  /** null if its workload runs one pod on each node. */
  readonly ordinal: number | null;
  /** null if its workload does not run one pod on each node, or none has taken it. */
  readonly node: string | null;
  /** Whether it is of the revision of the pod template. */
  readonly isUpdated: boolean;
  /** It is of the canary of another update before, which has ended: neither of the template nor of the version that was healthy. */
  readonly isSuperseded: boolean;
  /** Its owner keeps it as it is. */
  readonly isFrozen: boolean;
  readonly isTerminating: boolean;
  /** When it was ready for `minReadySeconds`, or will be; null if it is not ready. */
  readonly availableAt: Date | null;
  /** It is unavailable for another cause than its image: no node takes it, or its node does not answer. */
  readonly isExcused: boolean;
  /** A container has exited with an error. */
  readonly hasCrashed: boolean;
  /** It has failed by itself since the update began. */
  readonly hasFailedSinceStart: boolean;
  /** Why it is not ready, or has failed since the update began; null if neither. */
  readonly cause: Cause | null;
}

/** Reports whether a pod serves. */
export function isAvailable({ availableAt, isTerminating }: RolledPod, now: Date): boolean {
  return availableAt !== null && availableAt <= now && !isTerminating;
}

/** Reports whether a pod keeps its revision, because its owner has frozen it. */
export function isSkipped({ isFrozen, isUpdated }: RolledPod): boolean {
  return isFrozen && !isUpdated;
}
