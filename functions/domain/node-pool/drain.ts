import { secondsBetween } from "../time.ts";
import type { Slot } from "./types.ts";

/** A pod of the node that is being drained. */
export interface DrainedPod {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** The kind of its controller; null where it has none. */
  readonly controller: string | null;
  /** The kubelet runs it from a file, and the API server only mirrors it. */
  readonly isMirror: boolean;
  readonly phase: string;
  readonly isBeingDeleted: boolean;
}

export type DrainProgress =
  | { readonly kind: "complete" }
  | { readonly kind: "evict"; readonly pods: readonly DrainedPod[] }
  /** All that is left is being deleted: each pod has its own grace. */
  | { readonly kind: "wait"; readonly left: number }
  | { readonly kind: "timed-out"; readonly left: number };

const slowSeconds = 300;
const finishedPhases: ReadonlySet<string> = new Set(["Succeeded", "Failed"]);

/** Whether a pod keeps a node from being drained: not one of a DaemonSet, a mirror, or one that has finished. */
export function isInTheWay({ controller, isMirror, phase }: DrainedPod): boolean {
  return controller !== "DaemonSet" && !isMirror && !finishedPhases.has(phase);
}

/** How far a drain is. One that takes too long is reported, and then begins anew: the slot and the cordon stay. */
export function assessDrain(
  pods: readonly DrainedPod[],
  slot: Slot,
  timeoutSeconds: number | null,
  now: Date,
): DrainProgress {
  const left = pods.filter(isInTheWay);
  if (left.length === 0) return { kind: "complete" };
  const since = slot.drainSince ?? slot.takenAt;
  if (timeoutSeconds !== null && since !== null && secondsBetween(since, now) > timeoutSeconds) {
    return { kind: "timed-out", left: left.length };
  }
  const evictable = left.filter(({ isBeingDeleted }) => !isBeingDeleted);
  return evictable.length > 0 ? { kind: "evict", pods: evictable } : { kind: "wait", left: left.length };
}

/** Whether a drain has gone on for so long (5 min, as with bootc-operator) that its owner should hear of it, however often it began anew. */
export function isDrainSlow({ takenAt }: Slot, now: Date): boolean {
  return takenAt !== null && secondsBetween(takenAt, now) >= slowSeconds;
}
