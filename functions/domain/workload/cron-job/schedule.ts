import { formatRfc3339 } from "../../text/rfc3339.ts";
import { waitingSince } from "../policy/observation.ts";
import type { InFlight } from "../update/in-flight.ts";
import type { JobSchedule } from "./job-run.ts";

/** Returns what the status of a CronJob says of the Jobs of its schedule, as text that differs once another one was created or ended. */
export function describeJobs({ isActive, lastScheduledAt }: JobSchedule): string {
  const last = lastScheduledAt === null ? "none" : formatRfc3339(lastScheduledAt);
  return isActive ? `${last} active` : last;
}

/** Reports whether a Job has ended since these Jobs were described. */
export function hasEndedSince(jobs: JobSchedule, described: string | undefined): boolean {
  return !jobs.isActive && describeJobs(jobs) !== described;
}

/** Reports whether a Job that the schedule created after the change has ended. */
export function hasJobEnded({ isActive, lastScheduledAt }: JobSchedule, inFlight: InFlight): boolean {
  return !isActive && lastScheduledAt !== null && isScheduledSince(lastScheduledAt, inFlight);
}

/**
 * Reports whether a time is after the change. It counts from the first check, which is later than the change: a controller that had not seen it
 * yet may have created a Job in between.
 */
export function isScheduledSince(time: Date, { observation }: InFlight): boolean {
  const since = waitingSince(observation);
  return since !== null && time >= since;
}

/** Reports whether the last Job of the schedule has failed. false if it runs, or if that is not known. */
export function hasLastJobFailed({ isActive, lastScheduledAt, lastSucceededAt }: JobSchedule): boolean {
  if (isActive || lastScheduledAt === null || lastSucceededAt === undefined) return false;
  return lastSucceededAt === null || lastSucceededAt < lastScheduledAt;
}
