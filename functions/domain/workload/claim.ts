import { replaceTag, isSameImage } from "../image/reference.ts";
import { endBackOff } from "./back-off.ts";
import { recordConfig } from "./config/record.ts";
import { hasOwnClaim, holdVersion } from "./current-version.ts";
import { describeManualChange, describeSuperseded, isManagedChange } from "./manual-change.ts";
import { isPreHookPending } from "./hook/run-hook.ts";
import { withoutRestore } from "./release/record-restore.ts";
import { beginStep, currentSize } from "./canary/progress.ts";
import type { Change } from "./change.ts";
import type { InFlight, Phase, Workload } from "./workload.ts";

/** The workload as read, and its update in flight, which the execution holds. */
export interface HeldClaim {
  readonly kind: "held";
  readonly workload: Workload;
  readonly inFlight: InFlight;
}

export type Claim = HeldClaim | { readonly kind: "lost"; readonly reason: string };

/**
 * Checks whether `execution` still holds the claim on a workload for `image`. Every step checks before it writes: the
 * loser of a race, and an execution overtaken by a manual change, write nothing more.
 */
export function checkClaim(workload: Workload | null, execution: string, image: string): Claim {
  if (workload === null) return lost("workload not found (deleted or recreated)");
  const { inFlight } = workload;
  if (inFlight === null) return lost("the update is no longer in flight");
  if (isHeldElsewhere(workload)) return lost(heldElsewhere);
  if (inFlight.execution !== execution) return lost(`the claim is held by ${inFlight.execution ?? "a manual update"}`);
  if (!isSameImage(inFlight.targetImage, image)) return lost(`the target was changed to ${inFlight.targetImage}`);
  if (!isManagedChange(workload, inFlight)) return lost(describeManualChange(workload, inFlight));
  return { kind: "held", workload, inFlight };
}

/**
 * Returns the change that ends an update whose workload a person has changed: the canary is removed, the image stays,
 * nothing is blamed. null if `execution` does not hold the claim, or nothing was changed.
 */
export function withdrawalChange(workload: Workload | null, execution: string): Change | null {
  const inFlight = workload?.inFlight ?? null;
  if (workload === null || inFlight?.execution !== execution || inFlight.phase !== "canary") return null;
  if (isHeldElsewhere(workload)) return null;
  return isManagedChange(workload, inFlight) ? null : releaseChange(workload, inFlight);
}

/** Returns the change that ends the claim on a workload that a person has changed. */
export function releaseChange(workload: Workload, inFlight: InFlight): Change {
  return {
    inFlight: null,
    ...endBackOff(workload),
    ...(inFlight.phase === "canary" ? { canary: null, verdict: null } : {}),
    // A person who reverts a restart does not want it again.
    ...(inFlight.phase === "restart" ? recordConfig(workload, inFlight) : {}),
    ...withoutRestore(workload, inFlight, describeManualChange(workload, inFlight)),
    ...holdVersion(workload, inFlight),
  };
}

/**
 * Reports whether an execution ends the claim on a manually changed workload, because only an updater may write there:
 * to a canary, and to a workload that has the claim in itself.
 */
export function isReleasedByExecution({ record }: Workload, { phase }: InFlight): boolean {
  return phase === "canary" || hasOwnClaim(record);
}

/** Returns why a claimed change must not be written any more; null if it may, and if it is written. */
export function withheldReason({ policy }: Workload, { isApplied, phase }: InFlight): string | null {
  const isPending = isApplied === false && phase !== "rollback";
  return isPending && !policy.enabled ? "auto-update was disabled before the change" : null;
}

type Adoption =
  | { readonly kind: "adopted"; readonly phase: Phase; readonly change: Change | null }
  /** The claimed change must not be written any more: the claim is taken over to be released. */
  | { readonly kind: "withheld"; readonly reason: string; readonly change: Change }
  | { readonly kind: "withdrawn"; readonly change: Change; readonly reason: string }
  | { readonly kind: "lost"; readonly reason: string };

/**
 * Takes over an update in flight without a live execution. If a person set the annotations on a kind that runs its own
 * template, the image is set too; an image that changed under an execution's claim stays.
 */
export function adopt(
  workload: Workload | null,
  execution: string,
  image: string,
  now: Date,
  isAborted = false,
): Adoption {
  if (workload === null) return lost("workload not found (deleted or recreated)");
  const { inFlight } = workload;
  if (inFlight === null) return lost("the update is no longer in flight");
  if (isHeldElsewhere(workload)) return lost(heldElsewhere);
  if (!isSameImage(inFlight.targetImage, image)) return lost(`the target was changed to ${inFlight.targetImage}`);
  const { phase } = inFlight;
  const isManualChange = !isManagedChange(workload, inFlight);
  if (isAborted && hasOwnClaim(workload.record)) {
    if (isManualChange) return withdraw(workload, inFlight);
    if (phase !== "canary") return lost("the manual change was reverted");
  }
  // A canary that its owner stopped is not created any more.
  const canary = isAborted || workload.verdict === "abort" ? null : canaryToCreate(workload, inFlight, now);
  const isPending = inFlight.isApplied === false && phase !== "rollback";
  if (inFlight.execution === execution && canary === null && !isPending)
    return { kind: "adopted", phase, change: null };
  // A canary beside a workload that a person has changed is removed, and the workload stays as it is.
  const isWithdrawn = isAborted && phase === "canary";
  if (isManualChange && inFlight.execution !== null && !isWithdrawn)
    return lost(describeManualChange(workload, inFlight));
  // The health timeout counts from the change, which is still to come. Repeated, it keeps its own claim.
  const isOwn = inFlight.execution === execution;
  const startedAt = isPending && !isOwn ? now : inFlight.startedAt;
  const adopted = { ...inFlight, startedAt, execution, previousImage: inferPreviousImage(workload, inFlight) };
  const withheld = withheldReason(workload, inFlight);
  if (withheld !== null) return { kind: "withheld", reason: withheld, change: { inFlight: adopted } };
  // Only its own claim is taken over: its hook may still fail.
  if (isPreHookPending(inFlight) && !isAborted)
    return { kind: "adopted", phase, change: isOwn ? null : { inFlight: adopted } };
  const chosen = isManualChange && phase === "rollout" ? { image } : {};
  const claimed = isPending ? claimedChange(workload, adopted) : {};
  return { kind: "adopted", phase, change: { inFlight: adopted, ...chosen, ...claimed, ...canary } };
}

/** The claim is on the workload itself, so it need not be taken first. */
function withdraw(workload: Workload, inFlight: InFlight): Adoption {
  const held = describeSuperseded(workload, inFlight);
  const change = { ...releaseChange(workload, inFlight), lastReported: { held } };
  return { kind: "withdrawn", change, reason: held };
}

/** Returns the change that was claimed, and not written before its execution ended. */
function claimedChange({ digests }: Workload, { phase, targetImage, startedAt }: InFlight): Change {
  if (phase === "canary" || startedAt === "malformed") return {};
  // Its record is written; kubernetes-image-updater reads it on the workload.
  const known = digests === null ? {} : { digests: { deployed: digests.deployed } };
  return phase === "restart" ? { restart: startedAt, ...known } : { image: targetImage, canary: null, ...known };
}

/**
 * Returns the canary to create: its execution was stopped before it created one of this image. If its owner has changed the pod
 * template since, it begins again: none of its steps has tested this one.
 */
function canaryToCreate(workload: Workload, { phase, targetImage }: InFlight, now: Date): Change | null {
  const { canary, policy, rollout } = workload;
  // If a person edited the target, the canary runs another image, which proves nothing about this one.
  const exists = canary !== null && (canary.image === null || isSameImage(canary.image, targetImage));
  const canaryProgress = rollout?.isTemplateEdited ? beginStep(policy, 1, now) : workload.canaryProgress;
  const size = currentSize({ policy, canaryProgress });
  if (phase !== "canary" || exists || size === null) return null;
  const again = rollout?.isTemplateEdited ? { canaryProgress, analysis: null } : {};
  return { canary: { image: targetImage, size }, ...again };
}

/** Infers the previous image from the best evidence: annotations that a person set do not record it. */
function inferPreviousImage(workload: Workload, inFlight: InFlight): string | null {
  if (inFlight.execution !== null) return inFlight.previousImage;
  const running = workload.rollout?.image ?? null;
  if (running !== null && !isSameImage(running, inFlight.targetImage)) return running;
  const { currentVersion } = workload.updateRecord;
  if (currentVersion === null) return null;
  const recorded = replaceTag(inFlight.targetImage, currentVersion);
  return isSameImage(recorded, inFlight.targetImage) ? null : recorded;
}

const heldElsewhere = "the claim is held by another installation";

/** Reports whether another installation holds the claim. Its executions have the same names: these are built from what they do. */
export function isHeldElsewhere({ record }: Workload): boolean {
  return record.claimedElsewhereUntil !== null;
}

function lost(reason: string): { readonly kind: "lost"; readonly reason: string } {
  return { kind: "lost", reason };
}
