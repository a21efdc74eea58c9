import type { Target } from "../target/target.ts";

/** A Job that runs around an update. */
export interface Hook {
  /** A suspended CronJob in the namespace of the workload, from whose template the Job is created. */
  readonly job: string;
  readonly timeoutSeconds: number;
  /** Whether containers with an image of the repository that is updated run the new image. */
  readonly usesNewImage: boolean;
  /** Whether the end of its log is in the Event and in the execution if it fails. */
  readonly showsLog: boolean;
  /** Whether the update is rolled back if the Job fails after it. */
  readonly rollsBack: boolean;
  /** Whether the update is also rolled back, and not blamed, if the Job after it has no result. */
  readonly rollsBackUnknown?: boolean;
  /** Around which changes of the workload it runs. An automatic rollback is none. */
  readonly runOn: readonly HookOccasion[];
}

/**
 * "update": another image. "digest": a restart for another digest of its tag. "config": one for a ConfigMap or Secret. "restart" and "rollback":
 * requested by a person.
 */
export const hookOccasions = ["update", "digest", "config", "restart", "rollback"] as const;
export type HookOccasion = (typeof hookOccasions)[number];

/** Those that bring another program. */
export const defaultHookOccasions: readonly HookOccasion[] = ["update", "digest"];

const occasions = {
  image: "update",
  digest: "digest",
  config: "config",
  restart: "restart",
  release: "rollback",
} as const satisfies Record<Target["kind"], HookOccasion>;

/** Returns what an update to a target is to a hook. */
export function occasionOf({ kind }: Pick<Target, "kind">): HookOccasion {
  return occasions[kind];
}

/** Reports whether a hook runs around the update to a target. */
export function runsFor(hook: Hook | null, target: Pick<Target, "kind">): hook is Hook {
  return hook !== null && hook.runOn.includes(occasionOf(target));
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

/** "unknown": the Job did not run, or its pods were evicted, preempted or deleted. */
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
  | { readonly kind: "running"; readonly uid: string; readonly createdAt: Date; readonly progress: HookProgress }
  | { readonly kind: "succeeded" }
  /** Its containers exited with an error, as often as its template allows, or until its deadline. */
  | { readonly kind: "failed"; readonly reason: string; readonly log: readonly string[] }
  /** None of its containers is the cause: its pods did not start, or were evicted, preempted or deleted. */
  | { readonly kind: "ended"; readonly reason: string; readonly log: readonly string[] }
  /** It does not exist. */
  | { readonly kind: "missing"; readonly reason: string };

/** What the pods of a Job show that has not ended. */
export interface HookProgress {
  /**
   * "failed": a container exited with an error. "refused": its image can never start. "waiting": none has started. What happened to a pod from
   * outside shows nothing.
   */
  readonly kind: "failed" | "running" | "waiting" | "refused";
  readonly reason: string;
  readonly log: readonly string[];
}

/** Kubernetes ends a Job so much later than Pawl, which can then still read what its pods show. */
export const hookGraceSeconds = 120;
