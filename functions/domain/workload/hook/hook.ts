/** A Job that runs around an update. */
export interface Hook {
  /** A suspended CronJob in the namespace of the workload, from whose template the Job is created. */
  readonly job: string;
  readonly timeoutSeconds: number;
  /** Whether containers with an image of the repository that is updated run the new image. */
  readonly usesNewImage: boolean;
  /** Whether the end of its log is in the Event and in the execution. */
  readonly showsLog: boolean;
  /** Whether the update is rolled back if the Job fails after it. */
  readonly rollsBack: boolean;
  /** Whether it runs around a rollback to a release too, which a person requests. */
  readonly runsOnRollback: boolean;
}

/**
 * "pre": before the workload is changed. "pre-promotion": after its canary has passed. "post": after all replicas were ready, and the bake
 * time is over.
 */
export type HookStage = "pre" | "pre-promotion" | "post";

export interface Hooks {
  readonly pre: Hook | null;
  /** Of a StatefulCanary only. */
  readonly "pre-promotion"?: Hook;
  readonly post: Hook | null;
}

export const noHooks: Hooks = { pre: null, post: null };

/** "unknown": the Job did not run, did not end in time, or was deleted. */
export type HookResult = "succeeded" | "failed" | "unknown";

/** The hook of an update in flight that was begun last. */
export interface HookRun {
  readonly stage: HookStage;
  /** The CronJob, as it was configured when the hook began. */
  readonly job: string;
  /** When it began: with the target it identifies one Job. An execution that adopts the update keeps it. */
  readonly startedAt: Date;
  /** The uid of its Job. Absent until it is recorded: another Job of the same name is not this one. */
  readonly jobUid?: string;
  /** null while it runs. */
  readonly result: HookResult | null;
  /** Why it did not succeed. */
  readonly reason?: string;
}

/** The Job of a hook, as the cluster reports it. */
export type HookJob =
  /** It is not created yet: another Job of the same CronJob runs. */
  | { readonly kind: "waiting"; readonly since: Date; readonly reason: string }
  | { readonly kind: "running"; readonly uid: string; readonly createdAt: Date }
  | { readonly kind: "succeeded"; readonly log: readonly string[] }
  /** Its containers exited with an error, as often as its template allows. */
  | { readonly kind: "failed"; readonly reason: string; readonly log: readonly string[] }
  /** Its deadline has passed, or its pods were evicted, preempted or deleted. */
  | { readonly kind: "ended"; readonly reason: string; readonly log: readonly string[] }
  /** It does not exist. */
  | { readonly kind: "missing"; readonly reason: string };
