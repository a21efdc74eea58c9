import { secondsBetween } from "../../text/rfc3339.ts";
import type { InFlight } from "../update/in-flight.ts";
import type { Rollout } from "../workload.ts";
import { isAvailable, isSkipped, type RolledPod } from "./pod.ts";

export type NextPod =
  | { readonly kind: "evict"; readonly pod: RolledPod }
  | { readonly kind: "wait"; readonly reason: string }
  /** All is well, and the owner wants time between two pods. */
  | { readonly kind: "pause"; readonly waitSeconds: number; readonly reason: string }
  /** A frozen pod is not available: another one would be the second. */
  | { readonly kind: "blocked"; readonly waitSeconds: number; readonly reason: string }
  /** Each pod is of the revision of the template, or frozen. */
  | { readonly kind: "none" };

export const minPodCheckSeconds = 2;
/** A refused eviction is tried again after this time. */
export const refusedSeconds = 60;
export const maxPodCheckSeconds = 15;
const maxLeftWaitSeconds = 900;
/** In a long pause the claim is renewed after this time. */
const maxPauseCheckSeconds = 60;

/**
 * Returns the next pod to replace, of pods that their controller does not replace: one at a time, the highest ordinal first, 0 last.
 * Before these come old pods that are not available, the lowest ordinal first: an ordered StatefulSet creates no pod above such a one.
 * While a frozen pod is not available, only such are replaced. A canary has `limit` pods: those of a canary before it, then the first of those
 * that are available: a pod of the stable version that was not ready before would show nothing.
 */
export function nextPod(
  pods: readonly RolledPod[],
  { desiredReplicas, podsPer, generation, observedGeneration }: Rollout,
  pauseSeconds: number,
  now: Date,
  limit = Number.POSITIVE_INFINITY,
): NextPod {
  // A pod on a node that does not answer delays no pod on another node.
  const counted = podsPer === "node" ? pods.filter((pod) => !pod.isExcused) : pods;
  const old = counted.filter((pod) => !pod.isUpdated && !isSkipped(pod)).toSorted(byOrdinal);
  const replaced = counted.filter((pod) => pod.isUpdated || pod.isTerminating);
  if (old.length === 0 || replaced.length >= limit) return { kind: "none" };
  // Its controller would create the pod from the template before.
  if (observedGeneration < generation) return wait("the controller has not observed the change yet");
  const isCanary = limit !== Number.POSITIVE_INFINITY;
  const down = old.findLast((pod) => !pod.isTerminating && !isAvailable(pod, now) && (!isCanary || pod.isSuperseded));
  if (pods.length !== desiredReplicas && down === undefined)
    return wait(`${pods.length} of ${desiredReplicas} pods exist`);
  const missing = replaced.find((pod) => !isAvailable(pod, now));
  if (missing !== undefined) return wait(`pod ${missing.name} is not available`);
  const pauseLeft = pauseSeconds - secondsSinceLast(replaced, now);
  if (pauseLeft > 0) {
    const waitSeconds = Math.min(Math.ceil(pauseLeft), maxPauseCheckSeconds);
    return { kind: "pause", waitSeconds, reason: `a pause of ${pauseSeconds} s follows each pod` };
  }
  const frozen = counted.find((pod) => isSkipped(pod) && !isAvailable(pod, now));
  if (down === undefined && frozen !== undefined)
    return {
      kind: "blocked",
      waitSeconds: maxPodCheckSeconds,
      reason: `pod ${frozen.name} is frozen and not available`,
    };
  const available = old.filter((pod) => !isCanary || isAvailable(pod, now));
  const first = available.find(({ isSuperseded }) => isSuperseded) ?? available[0];
  if (first === undefined) return wait("no old pod is available");
  return { kind: "evict", pod: down ?? first };
}

/** Returns the next pod to replace of a canary that has ended without an update that does it. The others are for the owner to replace. */
export function nextLeftPod(pods: readonly RolledPod[], rollout: Rollout, pauseSeconds: number, now: Date): NextPod {
  const known = pods.filter((pod) => pod.isUpdated || pod.isSuperseded);
  const desiredReplicas = rollout.desiredReplicas - (pods.length - known.length);
  return nextPod(known, { ...rollout, desiredReplicas }, pauseSeconds, now);
}

/** Returns the seconds in which nothing of such a canary has changed: since a pod became available, or else since its execution has started. */
export function leftPodIdleSeconds(pods: readonly RolledPod[], executionStartedAt: Date, now: Date): number {
  const times = pods.flatMap(({ availableAt }) => (availableAt === null || availableAt > now ? [] : [availableAt]));
  return Math.min(...[executionStartedAt, ...times].map((time) => secondsBetween(time, now)));
}

/** Each wait for the pods of such a canary is half as long as nothing has changed. A newer version waits for them, so that is limited to 15 minutes. */
export function leftPodWaitSeconds(waitSeconds: number, idleSeconds: number): number {
  if (idleSeconds < refusedSeconds) return waitSeconds;
  return Math.min(Math.max(waitSeconds, refusedSeconds, Math.round(idleSeconds / 2)), maxLeftWaitSeconds);
}

function wait(reason: string): NextPod {
  return { kind: "wait", reason };
}

/** Returns when a pod that is on its way is checked again: 2 s after its eviction, then half as long again each time, up to 15 s. */
export function podCheckSeconds(inFlight: InFlight, now: Date): number {
  const evictedAt = evictionOf(inFlight);
  if (evictedAt === null) return maxPodCheckSeconds;
  return Math.min(Math.round(minPodCheckSeconds + Math.max(0, secondsBetween(evictedAt, now)) / 2), maxPodCheckSeconds);
}

/** Each eviction starts the deadline of its pod: at this time, or null while none counts. */
function evictionOf(inFlight: InFlight): Date | null {
  const { observation } = inFlight;
  if (inFlight.phase === "rollback") return inFlight.revertedAt ?? null;
  return observation?.kind === "observed" ? observation.at : null;
}

/** The highest ordinal first; by the node where there are none. */
function byOrdinal(one: RolledPod, other: RolledPod): number {
  return (other.ordinal ?? 0) - (one.ordinal ?? 0) || placeOf(one).localeCompare(placeOf(other));
}

function placeOf({ node, name }: RolledPod): string {
  return node ?? name;
}

/** Returns the seconds since a replaced pod became available; infinite if none has been replaced. */
function secondsSinceLast(replaced: readonly RolledPod[], now: Date): number {
  const seconds = replaced.map(({ availableAt }) => secondsBetween(availableAt as Date, now));
  return Math.min(Number.POSITIVE_INFINITY, ...seconds);
}
