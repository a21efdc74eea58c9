import type { Cause } from "../../../functions/domain/health/cause.ts";
import type { RolledPod } from "../../../functions/domain/workload/on-delete/pod.ts";
import { noon } from "../workloads.ts";

const notReady: Cause = {
  blames: "version",
  reason: "ContainersNotReady",
  container: null,
  exitCode: null,
  message: "",
  restarts: 0,
};

/** Returns the pod with this ordinal of a StatefulSet: old, and available since noon. */
export function rolledPod(ordinal: number, parts: Partial<RolledPod> = {}): RolledPod {
  return {
    name: `app-${ordinal}`,
    uid: `p-${ordinal}`,
    ordinal,
    node: null,
    isUpdated: false,
    isSuperseded: false,
    isFrozen: false,
    isTerminating: false,
    availableAt: noon,
    isExcused: false,
    hasCrashed: false,
    hasFailedSinceStart: false,
    cause: parts.availableAt === null ? notReady : null,
    ...parts,
  };
}

export const updated = { isUpdated: true } as const;
export const superseded = { isSuperseded: true } as const;
export const frozen = { isFrozen: true } as const;
export const unavailable = { availableAt: null } as const;
