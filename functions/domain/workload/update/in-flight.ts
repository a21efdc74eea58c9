import type { Health } from "../../health/health.ts";
import type { Digests } from "../digest/tracking.ts";
import type { GitWrite } from "../git/git-write.ts";
import type { HookRun } from "../hook/hook.ts";
import type { Observation } from "../policy/observation-kinds.ts";
import type { ReleaseRestore } from "../release/release.ts";
import type { ParkedUpdate } from "./parked-update.ts";
import type { ImageTarget, ReleaseTarget, RestartTarget, Target } from "../target/target.ts";

/** What an update in flight has in each phase. */
interface ClaimedUpdate {
  /** "malformed" if the annotation of a Claw is not an RFC 3339 time. */
  readonly startedAt: Date | "malformed";
  /** The execution that holds the claim; null if a person set the annotations of a Claw. */
  readonly execution: string | null;
  /** The image that a rollback restores; null if no previous image is known. */
  readonly previousImage: string | null;
  /** The digests that the tags of the tracked containers resolved to, and those of the configuration; null if none is tracked. */
  readonly digests: Digests | null;
  /** Whether the workload was changed as claimed. If false, it still is as the claim read it, or has to be restored. */
  readonly isApplied?: boolean;
  /** The image of its container as the API server answered, if that is another one than was written: a webhook may change it. */
  readonly appliedImage?: string;
  /** Pods that were unavailable before the update. Absent if none was, or the kind has no replicas. */
  readonly unavailableBefore?: number;
  /** What the checks have seen of its pods; in a rollback of those of the restored version. Absent if nothing failed, or none was seen ready. */
  readonly health?: Health;
  /** The Job that ran, or runs, around it. */
  readonly hook?: HookRun;
  /** The image of the update that it superseded: the workload still has it until this one is applied. */
  readonly replacedImage?: string;
  /** Where its image is written, if git names it. */
  readonly git?: GitWrite;
}

interface ForwardUpdate extends ClaimedUpdate {
  readonly observation?: Observation;
  /** How its pods fail already, before their deadline: a newer version may supersede it. Absent if none does. */
  readonly failing?: string;
  /** Its execution sleeps. Only `Change.parked` records it: a step that writes the whole claim continues the update. */
  readonly parked?: ParkedUpdate;
  /** It takes longer than its pods may take one after the other, which was reported. */
  readonly isSlow?: true;
  readonly revertedAt?: never;
  readonly suspect?: never;
}

/** A few replicas run the target. */
export interface CanaryUpdate extends ForwardUpdate {
  readonly phase: "canary";
  readonly target: ImageTarget;
  readonly release?: never;
}

/** All replicas move to the target. */
export interface RolloutUpdate extends ForwardUpdate {
  readonly phase: "rollout";
  readonly target: ImageTarget;
  readonly release?: never;
}

/** All pods are recreated, of the same tag. The target is of the first container that changed. */
export interface RestartUpdate extends ForwardUpdate {
  readonly phase: "restart";
  readonly target: RestartTarget;
  readonly release?: never;
}

/** The whole pod template of an earlier release is restored. */
export interface ReleaseUpdate extends ForwardUpdate {
  readonly phase: "release";
  readonly target: ReleaseTarget;
  readonly release: ReleaseRestore;
}

/** The failure is recorded, or suspected, and the image restored; its pods have yet to become ready. */
interface Revert extends ClaimedUpdate {
  readonly phase: "rollback";
  /** When the workload was restored. Absent if the kind has no field for it, so that nothing is waited for. */
  readonly revertedAt?: Date;
  /** "waiting": why no pod can be replaced. */
  readonly observation?: Exclude<Observation, { readonly kind: "baking" }>;
  readonly parked?: never;
  readonly failing?: never;
  readonly isSlow?: never;
}

/**
 * Pods of the target failed. Whether the target is the cause, shows the version before it: only while that is ready, the target is blamed.
 */
export interface Suspect {
  /** Why the update was reverted, with the pods that failed. */
  readonly reason: string;
  /** The execution that found them: the Event of the rollback names it. */
  readonly execution: string;
  /** The pods had been ready before the update failed: by its analysis, or because they exited too often. */
  readonly wasReady?: true;
  /** Since when the restored version is ready; absent while it is not. */
  readonly readySince?: Date;
}

/** The rollback of an image, digest, configuration or restart. */
export interface UpdateRollback extends Revert {
  /** Absent once its outcome is recorded, and if no control is needed. */
  readonly suspect?: Suspect;
  readonly target: Exclude<Target, ReleaseTarget>;
  readonly release?: never;
}

/** The template before a release that failed is restored. */
export interface ReleaseRollback extends Revert {
  readonly suspect?: never;
  readonly target: ReleaseTarget;
  readonly release: ReleaseRestore;
}

export type Rollback = UpdateRollback | ReleaseRollback;

/** An update that has been claimed and not yet been assessed. */
export type InFlight = CanaryUpdate | RolloutUpdate | RestartUpdate | ReleaseUpdate | Rollback;

/** Returns an update with what a check of it has noted. A rollback has no bake time. */
export function observe(inFlight: InFlight, observation: Observation): InFlight {
  if (inFlight.phase !== "rollback") return { ...inFlight, observation };
  return observation.kind === "baking" ? inFlight : { ...inFlight, observation };
}

/** Returns the rollback of an update, restored now or still to be. What its checks have noted is of the update, and ends. */
export function toRollback(inFlight: InFlight, isApplied: boolean, revertedAt: Date): Rollback {
  const { target, release, suspect, ...noted } = inFlight;
  const { observation: _observation, parked: _parked, health: _health, failing: _failing, ...kept } = noted;
  const { isSlow: _isSlow, ...rest } = kept;
  const rollback = { ...rest, phase: "rollback", isApplied, revertedAt } as const;
  if (release !== undefined) return { ...rollback, target, release };
  return { ...rollback, target, ...(suspect === undefined ? {} : { suspect }) };
}
