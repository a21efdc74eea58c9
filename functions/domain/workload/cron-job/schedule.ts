import { waitingSince } from "../policy/observation.ts";
import type { InFlight } from "../update/in-flight.ts";
import type { JobSchedule } from "./job-run.ts";

/**
 * Reports whether a Job that the schedule created after the change has ended. It counts from the first check, which is later than the
 * change: a controller that had not seen it yet may have created a Job in between.
 */
export function hasJobEnded({ isActive, lastScheduledAt }: JobSchedule, { observation }: InFlight): boolean {
  const since = waitingSince(observation);
  return !isActive && since !== null && lastScheduledAt !== null && lastScheduledAt >= since;
}

/** Reports whether the last Job of the schedule has failed. false if it runs, or if that is not known. */
export function hasLastJobFailed({ isActive, lastScheduledAt, lastSucceededAt }: JobSchedule): boolean {
  if (isActive || lastScheduledAt === null || lastSucceededAt === undefined) return false;
  return lastSucceededAt === null || lastSucceededAt < lastScheduledAt;
}
