/**
 * Why no verdict is possible until a person acts, the workload is scaled, a Job has run, or the image is verified again. The state of a parked
 * update has it as its reason.
 */
export const parkReasons = [
  "NoReplicas",
  "NextJob",
  "WorkloadPaused",
  "InvalidSetting",
  "CanaryPaused",
  "Unverified",
  "PullRequest",
] as const;

export type ParkReason = (typeof parkReasons)[number];

/** What an update in flight waits for whose execution sleeps in the state `Parked`. */
export interface ParkedUpdate {
  readonly reason: ParkReason;
  /** Since when no verdict was possible. */
  readonly since: Date;
  /** The Jobs of a CronJob, as `describeJobs` returned them. Once one of them has ended since, the wait is over. */
  readonly jobs?: string;
}
