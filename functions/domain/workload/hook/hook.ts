/** A Job that runs around an update. */
export interface Hook {
  /** A suspended CronJob in the namespace of the workload, from whose template the Job is created. */
  readonly job: string;
  readonly timeoutSeconds: number;
  /** Whether containers with an image of the repository that is updated run the new image. */
  readonly usesNewImage: boolean;
  /** Whether the update is rolled back if the Job fails after it. */
  readonly rollsBack: boolean;
}

/** "pre": before the workload is changed. "post": after all replicas were ready, and the bake time is over. */
export type HookStage = "pre" | "post";

export type Hooks = Readonly<Record<HookStage, Hook | null>>;

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
  /** null while it runs. */
  readonly result: HookResult | null;
  /** Why it did not succeed. */
  readonly reason?: string;
}

/** The Job of a hook, as the cluster reports it. */
export type HookJob =
  | { readonly kind: "running"; readonly createdAt: Date }
  | { readonly kind: "succeeded"; readonly log: readonly string[] }
  /** A pod of the Job failed. */
  | { readonly kind: "failed"; readonly reason: string; readonly log: readonly string[] }
  /** Its deadline has passed, or none of its pods ran. */
  | { readonly kind: "ended"; readonly reason: string; readonly log: readonly string[] }
  /** It does not exist. */
  | { readonly kind: "missing"; readonly reason: string };
