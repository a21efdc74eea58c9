import type { Evidence } from "../../health/evidence.ts";

/** What the status of a CronJob says of the Jobs of its schedule. */
export interface JobSchedule {
  /** Its owner has suspended it: no Job is created. */
  readonly isSuspended: boolean;
  /** A Job of the schedule has not ended yet. */
  readonly isActive: boolean;
  /** null if none was created yet. */
  readonly lastScheduledAt: Date | null;
  /** Of any Job that it owns; null if none has succeeded, absent if the API server does not say: before Kubernetes 1.21. */
  readonly lastSucceededAt?: Date | null;
}

/** A Job that a CronJob owns: of its schedule, or one that a person created from it. */
export interface JobRun {
  readonly name: string;
  readonly createdAt: Date;
  /** The image of the container that is tracked; null if it has none of that name. */
  readonly image: string | null;
  readonly result: "running" | "succeeded" | "failed";
  /** Why it failed, as its condition says: "BackoffLimitExceeded: Job has reached the specified backoff limit". Empty otherwise. */
  readonly reason: string;
  /** Whether its containers are the cause, and not what happened to its pods. false unless it has failed. */
  readonly isByItself: boolean;
  /** Its pods that failed; empty unless it has. */
  readonly evidence: readonly Evidence[];
}
