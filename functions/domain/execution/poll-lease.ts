import { parseRfc3339, secondsBetween } from "../text/rfc3339.ts";

/** The part of a `Lease` that Pawl reads and writes. Anything may be missing or malformed. */
export interface LeaseSpec {
  readonly holderIdentity?: string | null;
  readonly renewTime?: string | null;
  readonly leaseDurationSeconds?: number | null;
  readonly leaseTransitions?: number | null;
  readonly acquireTime?: string | null;
}

/** A holder renews three times in it, so that one lost renewal loses no lease. */
export const leaseSeconds = 60;

/**
 * Returns who else holds the lease; null if it may be taken. A lease in the future is stale too, if it is further away than its
 * duration: a clock that was off must not stop all polls. A duplicate poll is harmless, because every write is conditional.
 */
export function otherHolder(spec: LeaseSpec, holder: string, now: Date): string | null {
  const other = previousHolder(spec, holder);
  const renewedAt = parseRfc3339(spec.renewTime ?? "");
  if (renewedAt === null) return null;
  return Math.abs(secondsBetween(renewedAt, now)) <= leaseSeconds ? other : null;
}

/** Returns who has not released the lease that `holder` takes; null if it was free, or its own. */
export function previousHolder({ holderIdentity }: LeaseSpec, holder: string): string | null {
  return !holderIdentity || holderIdentity === holder ? null : holderIdentity;
}

/** The batches of a poll share its lease: one renews it for all. */
const freshSeconds = 15;

/** Reports whether this holder has renewed the lease just now, so that nothing need be written. */
export function isRenewed({ holderIdentity, renewTime }: LeaseSpec, holder: string, now: Date): boolean {
  const renewedAt = parseRfc3339(renewTime ?? "");
  return holderIdentity === holder && renewedAt !== null && Math.abs(secondsBetween(renewedAt, now)) < freshSeconds;
}

/** Begins the id of a poll of selected workloads, which has the lease only while its updates start. */
export const selectedPollPrefix = "selected-";

/** Reports whether this holder is a poll of selected workloads. */
export function isOfSelected(holder: string): boolean {
  return holder.slice(holder.lastIndexOf(" ") + 1).startsWith(selectedPollPrefix);
}

/** Returns the spec with which `holder` takes the lease, or renews it. The time when it was taken is that of polls of all workloads. */
export function renewedLease(spec: LeaseSpec, holder: string, now: Date): LeaseSpec {
  const renewTime = formatMicroTime(now);
  const renewed = { holderIdentity: holder, leaseDurationSeconds: leaseSeconds, renewTime };
  const transitions = spec.leaseTransitions ?? 0;
  if (spec.holderIdentity === holder) return { ...renewed, leaseTransitions: transitions };
  const taken = { ...renewed, leaseTransitions: transitions + 1 };
  return isOfSelected(holder) ? taken : { ...taken, acquireTime: renewTime };
}

/** Who polls a cluster. It stays when the lease is released. */
export interface PollNote {
  readonly by: string;
  /** How many seconds after the poll before; null after the first. */
  readonly everySeconds: number | null;
  /** The longest time between two polls by the schedule, such as a weekend; null if it is not known. */
  readonly longestSeconds: number | null;
}

/** Returns the note of a poll that takes the lease: `pawl-production 300`, or with the longest time between two `pawl-production 300 225000`. */
export function formatPollNote(
  { acquireTime }: LeaseSpec,
  installation: string,
  longestSeconds: number | null,
  now: Date,
): string {
  const before = parseRfc3339(acquireTime ?? "");
  const seconds = before === null ? 0 : Math.max(0, Math.round(secondsBetween(before, now)));
  if (longestSeconds !== null) return `${installation} ${seconds} ${longestSeconds}`;
  return seconds > 0 ? `${installation} ${seconds}` : installation;
}

/** Parses the note of a poll; null if it is none. */
export function parsePollNote(text: string | undefined): PollNote | null {
  const [, by, seconds, longest] = /^(\S+)(?: (\d{1,9})(?: (\d{1,9}))?)?$/.exec(text ?? "") ?? [];
  if (by === undefined) return null;
  return { by, everySeconds: Number(seconds ?? 0) || null, longestSeconds: Number(longest ?? 0) || null };
}

/** Formats a time as `MicroTime` of Kubernetes, which requires six digits of a second. */
function formatMicroTime(time: Date): string {
  return time.toISOString().replace("Z", "000Z");
}
