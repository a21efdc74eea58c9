import { replaceTag, sameImage, withoutDigest } from "./image-reference.ts";
import type { Change, InFlight, Phase, Workload } from "./workload.ts";

/** The workload as it was read, and the marks by which the execution holds it. */
export interface HeldClaim {
  readonly kind: "held";
  readonly workload: Workload;
  readonly inFlight: InFlight;
}

export type Claim = HeldClaim | { readonly kind: "lost"; readonly reason: string };

/**
 * Whether `execution` still holds the claim on a workload for `image`. Every step asks before it writes: the loser of
 * a race, and whoever a person's hand has overtaken, touches nothing more.
 */
export function claimOf(workload: Workload | null, execution: string, image: string): Claim {
  if (workload === null) return lost("the workload is gone, or another has taken its name");
  const { inFlight } = workload;
  if (inFlight === null) return lost("the update is no longer in flight");
  if (inFlight.execution !== execution) return lost(`the claim is held by ${inFlight.execution ?? "a person"}`);
  if (!sameImage(inFlight.targetImage, image)) return lost(`the target was changed to ${inFlight.targetImage}`);
  if (!isPawls(workload, inFlight)) return lost(whatWasChanged(workload, inFlight));
  return { kind: "held", workload, inFlight };
}

/** What a person's hand has done to the workload since. */
export function whatWasChanged({ image, wanted }: Workload, { phase }: InFlight): string {
  return phase === "restart" ? "the restart was taken back" : `the image was changed to ${wanted ?? image}`;
}

/** Whether what is asked for is Pawl's: an image that it has set, or a restart of its that still stands. All else is a person's. */
export function isPawls(workload: Workload, inFlight: InFlight): boolean {
  const { image, wanted } = workload;
  const { phase, targetImage, previousImage } = inFlight;
  if (phase === "rollback") return true;
  if (phase === "restart") return isStillRestarted(workload, inFlight);
  if (wanted !== null && !sameImage(wanted, targetImage)) return false;
  if (image === null || sameImage(image, targetImage)) return true;
  // A canary of a Deployment runs beside it: the Deployment itself still asks for what ran before.
  return phase === "canary" && previousImage !== null && sameImage(image, previousImage);
}

/** A template that was restarted again since is fine: its pods are made of what stands behind the tag too. */
function isStillRestarted({ digests, restartedAt }: Workload, { targetImage, startedAt }: InFlight): boolean {
  const isFollowed = digests?.containers.some(({ image }) => sameImage(image, withoutDigest(targetImage))) ?? true;
  if (!isFollowed || restartedAt === null) return false;
  return startedAt === "malformed" || restartedAt >= startedAt;
}

export type Adoption =
  | { readonly kind: "adopted"; readonly phase: Phase; readonly change: Change | null }
  | { readonly kind: "lost"; readonly reason: string };

/**
 * Takes over an update that is in flight without a live execution. Where a person set the marks on a kind that runs
 * what its own template says, the image is set too; an image that was changed under an execution's claim stays.
 */
export function adopt(workload: Workload | null, execution: string, image: string): Adoption {
  if (workload === null) return lost("the workload is gone, or another has taken its name");
  const { inFlight } = workload;
  if (inFlight === null) return lost("the update is no longer in flight");
  if (!sameImage(inFlight.targetImage, image)) return lost(`the target was changed to ${inFlight.targetImage}`);
  const { phase } = inFlight;
  const canary = missingCanary(workload, inFlight);
  if (inFlight.execution === execution && canary === null) return { kind: "adopted", phase, change: null };
  const isChosenByHand = !isPawls(workload, inFlight);
  if (isChosenByHand && inFlight.execution !== null) return lost(whatWasChanged(workload, inFlight));
  const marks = { ...inFlight, execution, previousImage: inferPreviousImage(workload, inFlight) };
  const missing = canary === null ? {} : { canary };
  const chosen = isChosenByHand && phase === "rollout" ? { image } : {};
  return { kind: "adopted", phase, change: { inFlight: marks, ...chosen, ...missing } };
}

/** The claim of a canary was written, and the canary was not made: its execution was stopped in between. */
function missingCanary(
  { canary, policy }: Workload,
  { phase, targetImage }: InFlight,
): NonNullable<Change["canary"]> | null {
  if (phase !== "canary" || canary !== null || policy.canary === null) return null;
  return { image: targetImage, size: policy.canary };
}

/** Marks that a person set by hand say nothing of what ran before: the best evidence is taken. */
function inferPreviousImage(workload: Workload, inFlight: InFlight): string | null {
  if (inFlight.execution !== null) return inFlight.previousImage;
  const running = workload.rollout?.image ?? null;
  if (running !== null && !sameImage(running, inFlight.targetImage)) return running;
  const { currentVersion } = workload.bookkeeping;
  if (currentVersion === null) return null;
  const recorded = replaceTag(inFlight.targetImage, currentVersion);
  return sameImage(recorded, inFlight.targetImage) ? null : recorded;
}

function lost(reason: string): { readonly kind: "lost"; readonly reason: string } {
  return { kind: "lost", reason };
}
