import { secondsBetween } from "../../text/rfc3339.ts";
import type { BootcNode, Slot } from "./bootc-node.ts";
import type { DrainOptions, NodePoolSpec } from "../pool/node-pool.ts";

/** A pod on a node that is being drained. */
export interface DrainedPod {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** The kind of its controller; null if it has none. */
  readonly controller: string | null;
  /** The name of its controller; null if it has none. */
  readonly controllerName: string | null;
  readonly isReady: boolean;
  /** Whether it is a mirror pod, which the kubelet runs from a file. */
  readonly isMirror: boolean;
  /** Whether it has an emptyDir volume. */
  readonly hasEmptyDir: boolean;
  readonly phase: string;
  readonly isBeingDeleted: boolean;
}

export type DrainProgress =
  | { readonly kind: "complete" }
  | { readonly kind: "evict"; readonly pods: readonly DrainedPod[] }
  /** Pods must not be evicted, each with the reason. As in `kubectl drain`, no other pod is evicted then. */
  | { readonly kind: "blocked"; readonly problems: readonly string[] }
  /** All remaining pods are terminating, each with its own grace period. */
  | { readonly kind: "wait"; readonly remaining: number }
  | { readonly kind: "timed-out"; readonly remaining: number };

/** How long a drain usually takes at most. */
export const slowDrainSeconds = 300;
const finishedPhases: ReadonlySet<string> = new Set(["Succeeded", "Failed"]);

/** Reports whether a pod blocks a drain: not a pod of a DaemonSet, a mirror pod, or one that has finished. */
export function blocksDrain({ controller, isMirror, phase }: DrainedPod): boolean {
  return controller !== "DaemonSet" && !isMirror && !finishedPhases.has(phase);
}

/** Lists the pods that lose more than their place if their node is drained, each with what it loses. */
export function findDrainLosses(pods: readonly DrainedPod[]): readonly string[] {
  return pods.filter(isEvictable).flatMap(({ namespace, name, controller, hasEmptyDir }) => {
    if (controller === null) return [`${namespace}/${name} has no controller: nothing creates it again`];
    return hasEmptyDir ? [`${namespace}/${name} has emptyDir data, which is lost`] : [];
  });
}

/** Lists the pods that a drain must not evict, each with the reason. */
export function findDrainProblems(
  pods: readonly DrainedPod[],
  { force, deleteEmptyDirData }: DrainOptions,
): readonly string[] {
  return pods.filter(isEvictable).flatMap(({ namespace, name, controller, hasEmptyDir }) => {
    if (controller === null && !force) return [`${namespace}/${name} has no controller, and drain.force is false`];
    const losesData = hasEmptyDir && !deleteEmptyDirData;
    return losesData ? [`${namespace}/${name} has emptyDir data, and drain.deleteEmptyDirData is false`] : [];
  });
}

function isEvictable(pod: DrainedPod): boolean {
  return blocksDrain(pod) && !pod.isBeingDeleted;
}

/** Returns a slot with the times of the current drain: an image that was requested since starts another one. */
export function withDrainTimes(slot: Slot, requestedAt: Date | null): Slot {
  const { acquiredAt, drainStartedAt } = slot;
  if (acquiredAt === null || requestedAt === null || requestedAt <= acquiredAt) return slot;
  const isRestarted = drainStartedAt !== null && drainStartedAt > requestedAt;
  return { ...slot, acquiredAt: requestedAt, drainStartedAt: isRestarted ? drainStartedAt : null };
}

/** Returns the slot of a node in the same way; null if it holds none. */
export function drainSlot({ slot, requestedAt }: Pick<BootcNode, "slot" | "requestedAt">): Slot | null {
  return slot === null ? null : withDrainTimes(slot, requestedAt);
}

/** Assesses the progress of a drain. After a timeout it is reported and restarted; the slot and the cordon stay. */
export function assessDrain(
  pods: readonly DrainedPod[],
  slot: Slot,
  { drain, drainTimeoutSeconds: timeoutSeconds }: Pick<NodePoolSpec, "drain" | "drainTimeoutSeconds">,
  now: Date,
): DrainProgress {
  const remaining = pods.filter(blocksDrain);
  if (remaining.length === 0) return { kind: "complete" };
  const since = slot.drainStartedAt ?? slot.acquiredAt;
  if (timeoutSeconds !== null && since !== null && secondsBetween(since, now) > timeoutSeconds) {
    return { kind: "timed-out", remaining: remaining.length };
  }
  const problems = findDrainProblems(remaining, drain);
  if (problems.length > 0) return { kind: "blocked", problems };
  const evictable = remaining.filter(isEvictable);
  return evictable.length > 0 ? { kind: "evict", pods: evictable } : { kind: "wait", remaining: remaining.length };
}

/**
 * Reports whether a drain has lasted 5 minutes (as in bootc-operator), counted from the slot and not from a restart.
 */
export function isDrainSlow({ acquiredAt }: Slot, now: Date): boolean {
  return acquiredAt !== null && secondsBetween(acquiredAt, now) >= slowDrainSeconds;
}
