import type { RolledPod } from "../../functions/domain/workload/on-delete/pod.ts";
import { noon } from "./workloads.ts";

/** Returns the pod with this ordinal of a StatefulSet: old, and available since noon. */
export function rolledPod(ordinal: number, parts: Partial<RolledPod> = {}): RolledPod {
  return {
    name: `app-${ordinal}`,
    uid: `p-${ordinal}`,
    ordinal,
    isUpdated: false,
    isFrozen: false,
    isTerminating: false,
    availableAt: noon,
    isExcused: false,
    hasCrashed: false,
    ...parts,
  };
}

export const updated = { isUpdated: true } as const;
export const frozen = { isFrozen: true } as const;
export const unavailable = { availableAt: null } as const;
