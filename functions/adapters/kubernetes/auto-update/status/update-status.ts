import type { ObservedContainer } from "./running-status.ts";
import type { RecordTarget } from "./record-fields.ts";
import { formatRfc3339, parseRfc3339 } from "../../../../domain/text/rfc3339.ts";
import type { Change } from "../../../../domain/workload/update/change.ts";
import type { Release, ReleaseRestore } from "../../../../domain/workload/release/release.ts";
import type { InFlight } from "../../../../domain/workload/update/in-flight.ts";
import { isPreHookPending } from "../../../../domain/workload/hook/run-hook.ts";
import { dropAbsent } from "./drop-absent.ts";
import { fromGitStatus, toGitStatus } from "./git-status.ts";
import { fromHookStatus, toHookStatus } from "./hook-status.ts";
import { readHealth, toHealthStatus } from "./health-status.ts";
import { isRestart, isSameTarget, type Target } from "../../../../domain/workload/target/target.ts";
import type { UpdateStatus } from "./status-fields.ts";
import { readNoted, readRevert, toNotedStatus, withObservation } from "./observation-status.ts";
import { readParked, withParked } from "./parked-status.ts";
import { toStored } from "./stored.ts";
import { readSuspect } from "./suspect-status.ts";

/** Who claims, and what of: `UpdateStatus` has these beside what the domain says. */
export interface ClaimContext {
  readonly holder: string;
  readonly expiresAt: Date;
  readonly targetUID: string;
  readonly targetGeneration: number;
  readonly targetRevision?: number;
  readonly hasCanary: boolean;
  readonly autoscaler?: string | null;
  /** What is recorded from now on is about. Absent while an update is in flight: it was claimed for the repository before. */
  readonly tracked?: RecordTarget;
  /** What the workload runs. Absent if the change sets another image. */
  readonly observed?: ObservedContainer;
  /** All releases, if the change records one. */
  readonly releases?: readonly Release[];
  /** The containers that the change moves, with the images before it. */
  readonly moved?: Readonly<Record<string, string>>;
  /** A hash of the pod template, if the change has just been written. */
  readonly template?: string;
}

/**
 * Reads the update in flight. null if there is none, if its start is no time, and if its target is absent, as before the first
 * release, or not one of its strategy. `isApplied` is what the status says.
 */
export function readUpdate(update: UpdateStatus | undefined): InFlight | null {
  const startedAt = parseRfc3339(update?.startedAt ?? "");
  if (update === undefined || startedAt === null || !("target" in update)) return null;
  const {
    execution,
    previousImage = null,
    digests = null,
    strategy,
    unavailableBefore,
    replacedImage,
    failing,
    target,
  } = update;
  const common = {
    startedAt,
    execution,
    previousImage,
    digests,
    ...(update.appliedImage === undefined ? {} : { appliedImage: update.appliedImage }),
    ...(unavailableBefore === undefined ? {} : { unavailableBefore }),
    ...(replacedImage === undefined ? {} : { replacedImage }),
    ...fromHookStatus(update.hook),
    ...fromGitStatus(update.git, startedAt),
    ...readHealth(update.health),
  };
  if (update.phase === "RollingBack") {
    const isApplied = update.restorePending !== true;
    const rollback = { ...common, phase: "rollback", isApplied, ...readRevert(update) } as const;
    if (target.kind !== "release") return { ...rollback, target, ...readSuspect(update) };
    return update.release === undefined ? null : { ...rollback, target, release: fromReleaseStatus(update.release) };
  }
  const noted = { ...readNoted(update), ...readParked(update), ...readSlow(update) };
  const forward = {
    ...common,
    isApplied: update.phase === "Applied",
    ...noted,
    ...(failing === undefined ? {} : { failing }),
  };
  if (isRestart(target)) return strategy === "Restart" ? { ...forward, phase: "restart", target } : null;
  if (target.kind === "image")
    return strategy === "Rolling" || strategy === "Canary" ? { ...forward, phase: phases[strategy], target } : null;
  if (strategy !== "Release" || update.release === undefined) return null;
  return { ...forward, phase: "release", target, release: fromReleaseStatus(update.release) };
}

function readSlow({ slow }: UpdateStatus): { readonly isSlow?: true } {
  return slow === true ? { isSlow: true } : {};
}

/** Reports whether an update is for this target. */
export function isTargetOf(update: UpdateStatus | undefined, target: Target): update is UpdateStatus {
  return update !== undefined && "target" in update && isSameTarget(update.target, target);
}

const phases = { Rolling: "rollout", Canary: "canary" } as const;
const strategies = { rollout: "Rolling", canary: "Canary", restart: "Restart", release: "Release" } as const;

/** A check notes what it saw, or that it sleeps, and renews the claim: an update may take longer than a claim lasts. */
export function renewClaim(
  before: UpdateStatus | undefined,
  { observation, nextStepSeconds, parked, health, failing, slow }: Change,
  { expiresAt, template, autoscaler }: ClaimContext,
): UpdateStatus | undefined {
  if (before === undefined) return before;
  const renewed = {
    ...before,
    ...(nextStepSeconds === undefined ? {} : { expiresAt: formatRfc3339(expiresAt) }),
    ...(template === undefined ? {} : { template }),
    ...(autoscaler ? { autoscaler } : {}),
    ...(health === undefined ? {} : { health: toHealthStatus(health) }),
    ...(slow === undefined ? {} : { slow }),
  };
  const noted = observation === undefined ? renewed : withObservation(renewed, observation);
  const judged = failing === undefined ? noted : withFailing(noted, failing);
  return parked === undefined ? judged : withParked(judged, parked);
}

function withFailing({ failing: _before, ...update }: UpdateStatus, failing: string | null): UpdateStatus {
  return failing === null ? update : { ...update, failing };
}

function fromReleaseStatus(release: NonNullable<UpdateStatus["release"]>): ReleaseRestore {
  return { ...release, from: release.from ?? null };
}

function toReleaseStatus({ from, ...release }: ReleaseRestore): UpdateStatus["release"] {
  return { ...release, ...(from === null ? {} : { from }) };
}

type Verdict = UpdateStatus["verdict"] | null;

export function withVerdict({ verdict: _before, ...update }: UpdateStatus, verdict: Verdict): UpdateStatus {
  return verdict ? { ...update, verdict } : update;
}

/** A claim keeps the generation that it was made at, and its start, as long as the target stays the same. It is not parked any more. */
export function toUpdate(inFlight: InFlight, before: UpdateStatus | undefined, claim: ClaimContext): UpdateStatus {
  const { target, startedAt, execution, previousImage, digests, phase, isApplied = true, replacedImage } = inFlight;
  const strategy = phase === "rollback" ? (before?.strategy ?? "Rolling") : strategies[phase];
  const same = isTargetOf(before, target) ? before : undefined;
  const isSameClaim = same?.phase === "Claimed" && same.strategy === strategy;
  // A promotion is of the same update: a revision of its canary is one that it made.
  const targetRevision = same === undefined ? claim.targetRevision : same.targetRevision;
  // A rollback restores what a superseded update moved as it was before that update.
  const isReplaced = replacedImage !== undefined;
  const containers = isReplaced ? { ...claim.moved, ...before?.containers } : { ...same?.containers, ...claim.moved };
  return dropAbsent({
    phase: phase === "rollback" ? "RollingBack" : isApplied ? "Applied" : "Claimed",
    strategy,
    restorePending: phase === "rollback" && !isApplied ? true : undefined,
    holder: claim.holder,
    execution: execution ?? "",
    expiresAt: formatRfc3339(claim.expiresAt),
    target,
    appliedImage: inFlight.appliedImage,
    previousImage: previousImage ?? undefined,
    replacedImage,
    targetUID: claim.targetUID,
    targetGeneration: isSameClaim && !isApplied ? same.targetGeneration : claim.targetGeneration,
    targetRevision,
    startedAt: startedAt === "malformed" ? (before?.startedAt ?? "") : formatRfc3339(startedAt),
    digests: digests ?? undefined,
    release: inFlight.release && toReleaseStatus(inFlight.release),
    containers: Object.keys(containers).length === 0 ? undefined : containers,
    ...toNotedStatus(inFlight),
    health: inFlight.health && toHealthStatus(inFlight.health),
    slow: inFlight.isSlow,
    suspect: inFlight.suspect && toStored(inFlight.suspect),
    failing: inFlight.failing,
    template: claim.template ?? (isReplaced ? same?.template : before?.template),
    hasCanary: claim.hasCanary || (phase === "canary" && !isPreHookPending(inFlight)) ? true : undefined,
    autoscaler: phase === "canary" ? (claim.autoscaler ?? before?.autoscaler) : undefined,
    verdict: before?.verdict,
    hook: inFlight.hook && toHookStatus(inFlight.hook),
    git: inFlight.git && toGitStatus(inFlight.git),
  }) as UpdateStatus;
}
