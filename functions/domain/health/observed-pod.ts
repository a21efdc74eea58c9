import { secondsBetween } from "../text/rfc3339.ts";
import type { Cause } from "./cause.ts";

/** What one check sees of a pod of an update. */
export interface ObservedPod {
  readonly name: string;
  readonly uid: string;
  readonly createdAt: Date;
  /** When a kubelet accepted it; null if none has. */
  readonly startedAt: Date | null;
  readonly isReady: boolean;
  /** Since when it is ready, or is not; null if that is not known. */
  readonly readyChangedAt: Date | null;
  /** How often its containers have exited, in its whole life. */
  readonly exits: number;
  /** When a container exited last; null if none did. */
  readonly exitedAt: Date | null;
  /** Why it is not ready, or has restarted. */
  readonly cause: Cause;
}

/** A kubelet sets both times when it accepts a pod, in whole seconds. */
const slackMilliseconds = 2000;

/** Reports whether a pod is ready or has been: `Ready` changes after its start only if it was True in between. */
export function wasReady({ isReady, startedAt, readyChangedAt }: ObservedPod): boolean {
  if (isReady || startedAt === null || readyChangedAt === null) return isReady;
  return readyChangedAt.getTime() - startedAt.getTime() > slackMilliseconds;
}

/** Reports whether a pod that was ready is not any more, because a container exited. */
export function hasExitedFromReady({ isReady, readyChangedAt, exitedAt }: ObservedPod): boolean {
  if (isReady || readyChangedAt === null || exitedAt === null) return false;
  return exitedAt.getTime() >= readyChangedAt.getTime() - slackMilliseconds;
}

/** Reports whether a pod has been ready for this long without an exit, and for longer than its exits are apart: it may only be between two. */
export function isStable(
  { isReady, readyChangedAt, createdAt, exits, exitedAt }: ObservedPod,
  seconds: number,
  now: Date,
): boolean {
  if (!isReady || readyChangedAt === null) return false;
  const changedAt = exitedAt === null || exitedAt < readyChangedAt ? readyChangedAt : exitedAt;
  const apartSeconds = exitedAt === null ? 0 : secondsBetween(createdAt, exitedAt) / Math.max(1, exits);
  return secondsBetween(changedAt, now) > Math.max(seconds, apartSeconds);
}
