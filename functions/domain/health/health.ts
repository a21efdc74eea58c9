import { fromEpoch, secondsBetween } from "../text/rfc3339.ts";
import { hasExitedFromReady, type ObservedPod, wasReady } from "./observed-pod.ts";

/** What the checks of an update have seen of its pods. A pod that was ready and never failed is not listed. */
export interface Health {
  /** All pods that were created until then have been ready. Absent if that is not known of any. */
  readonly readyUntil?: Date;
  readonly pods: readonly PodHealth[];
  /** The exits before it was first ready that a pod may have that is not listed, because too many are. */
  readonly maxExitsOfOthers?: number;
}

/** What was seen of a pod since it was first ready. */
export interface PodHealth {
  readonly name: string;
  readonly uid: string;
  /** How often its containers had exited when it was first seen to be, or to have been, ready: these do not count. */
  readonly exitsBefore: number;
  /** For how long it was not ready after that, in total, and when that was counted last; `unreadyAt` is absent while it is ready. */
  readonly unreadySeconds: number;
  readonly unreadyAt?: Date;
}

/** In a status of an update; each is about 150 bytes. */
const maxPods = 20;

/**
 * Returns what is known of the pods of an update once a check has seen them: the same object if nothing has changed, undefined if there is
 * nothing to know. It depends on times and counts of the pods, so that a check that is repeated counts nothing twice.
 */
export function observePods(before: Health | undefined, pods: readonly ObservedPod[], now: Date): Health | undefined {
  const listed = pods.flatMap((pod) => (wasReady(pod) ? observePod(pod, before, now) : []));
  const kept = listed.toSorted(byUnready).slice(0, maxPods);
  const dropped = listed.filter((one) => !kept.includes(one)).map(({ exitsBefore }) => exitsBefore);
  const maxExitsOfOthers = Math.max(before?.maxExitsOfOthers ?? 0, ...dropped);
  const readyUntil = nextReadyUntil(before?.readyUntil, pods);
  const after: Health = {
    ...(readyUntil === undefined ? {} : { readyUntil }),
    pods: kept,
    ...(maxExitsOfOthers === 0 ? {} : { maxExitsOfOthers }),
  };
  if (before === undefined) return readyUntil === undefined && kept.length === 0 ? undefined : after;
  return isSameHealth(before, after) ? before : after;
}

/** Returns how often a pod has exited since it was first ready. */
export function exitsSinceReady(pod: ObservedPod, health: Health | undefined): number {
  return wasReady(pod) ? Math.max(0, pod.exits - countExitsBefore(pod, health)) : 0;
}

/** Returns what was seen of a pod since it was first ready; undefined if that is nothing. */
export function healthOf({ uid }: ObservedPod, health: Health | undefined): PodHealth | undefined {
  return health?.pods.find((one) => one.uid === uid);
}

function observePod(pod: ObservedPod, before: Health | undefined, now: Date): readonly PodHealth[] {
  const { name, uid } = pod;
  const known = healthOf(pod, before);
  const one = { name, uid, exitsBefore: countExitsBefore(pod, before), ...countUnready(pod, known, now) };
  return known === undefined && one.exitsBefore === 0 && one.unreadySeconds === 0 ? [] : [one];
}

/**
 * Of a pod that has not been seen ready yet it is not known when its containers exited: these exits do not count, except one that ended
 * its readiness.
 */
function countExitsBefore(pod: ObservedPod, before: Health | undefined): number {
  const known = healthOf(pod, before);
  if (known !== undefined) return known.exitsBefore;
  const wasSeenReady = before?.readyUntil !== undefined && pod.createdAt <= before.readyUntil;
  if (wasSeenReady) return Math.min(pod.exits, before.maxExitsOfOthers ?? 0);
  return pod.exits - (hasExitedFromReady(pod) ? 1 : 0);
}

/** Adds the time since the last check, or since the pod is not ready. Time for which the version is not the cause does not count. */
function countUnready(
  { isReady, readyChangedAt, cause }: ObservedPod,
  { unreadySeconds = 0, unreadyAt }: Partial<PodHealth> = {},
  now: Date,
): Pick<PodHealth, "unreadySeconds" | "unreadyAt"> {
  const changedAt = readyChangedAt ?? now;
  const add = (from: Date, to: Date) => unreadySeconds + Math.max(0, Math.round(secondsBetween(from, to)));
  if (isReady) return { unreadySeconds: unreadyAt === undefined ? unreadySeconds : add(unreadyAt, changedAt) };
  if (cause.blames !== "version") return { unreadySeconds };
  const until = fromEpoch(Math.floor(now.getTime() / 1000) * 1000);
  const from = unreadyAt !== undefined && unreadyAt > changedAt ? unreadyAt : changedAt;
  return { unreadySeconds: add(from, until), unreadyAt: until };
}

/** Pods are created in the order in which they are updated: one that is not ready yet delays the time for all later ones. */
function nextReadyUntil(before: Date | undefined, pods: readonly ObservedPod[]): Date | undefined {
  const firstStarting = Math.min(...pods.filter((pod) => !wasReady(pod)).map(({ createdAt }) => createdAt.getTime()));
  const ready = pods.filter(wasReady).map(({ createdAt }) => createdAt.getTime());
  const latest = Math.max(before?.getTime() ?? -Infinity, ...ready.filter((time) => time < firstStarting));
  return latest === -Infinity ? undefined : fromEpoch(latest);
}

function byUnready(one: PodHealth, other: PodHealth): number {
  return other.unreadySeconds - one.unreadySeconds;
}

function isSameHealth(one: Health, other: Health): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
