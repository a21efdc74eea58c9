import { secondsBetween } from "../text/rfc3339.ts";
import type { Slot } from "./bootc-node.ts";

/** A pod on a node that is being drained. */
export interface DrainedPod {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** The kind of its controller; null if it has none. */
  readonly controller: string | null;
  /** Whether it is a mirror pod, which the kubelet runs from a file. */
  readonly isMirror: boolean;
  readonly phase: string;
  readonly isBeingDeleted: boolean;
}

export type DrainProgress =
  | { readonly kind: "complete" }
  | { readonly kind: "evict"; readonly pods: readonly DrainedPod[] }
  /** All remaining pods are terminating, each with its own grace period. */
  | { readonly kind: "wait"; readonly remaining: number }
  | { readonly kind: "timed-out"; readonly remaining: number };

const slowDrainSeconds = 300;
const finishedPhases: ReadonlySet<string> = new Set(["Succeeded", "Failed"]);

/** Reports whether a pod blocks a drain: not a pod of a DaemonSet, a mirror pod, or one that has finished. */
export function blocksDrain({ controller, isMirror, phase }: DrainedPod): boolean {
  return controller !== "DaemonSet" && !isMirror && !finishedPhases.has(phase);
}

/** Assesses the progress of a drain. After a timeout it is reported and restarted; the slot and the cordon stay. */
export function assessDrain(
  pods: readonly DrainedPod[],
  slot: Slot,
  timeoutSeconds: number | null,
  now: Date,
): DrainProgress {
  const remaining = pods.filter(blocksDrain);
  if (remaining.length === 0) return { kind: "complete" };
  const since = slot.drainStartedAt ?? slot.acquiredAt;
  if (timeoutSeconds !== null && since !== null && secondsBetween(since, now) > timeoutSeconds) {
    return { kind: "timed-out", remaining: remaining.length };
  }
  const evictable = remaining.filter(({ isBeingDeleted }) => !isBeingDeleted);
  return evictable.length > 0 ? { kind: "evict", pods: evictable } : { kind: "wait", remaining: remaining.length };
}

/**
 * Reports whether a drain has lasted 5 minutes (as in bootc-operator), counted from the slot and not from a restart.
 */
export function isDrainSlow({ acquiredAt }: Slot, now: Date): boolean {
  return acquiredAt !== null && secondsBetween(acquiredAt, now) >= slowDrainSeconds;
}
