import { replaceTag, sameImage } from "./image-reference.ts";
import type { Change, InFlight, Workload } from "./workload.ts";

export type Claim =
  | { readonly kind: "held"; readonly inFlight: InFlight }
  | { readonly kind: "lost"; readonly reason: string };

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
  if (inFlight.rollingBack) return { kind: "held", inFlight };
  if (workload.image !== null && !sameImage(workload.image, image))
    return lost(`the image was changed to ${workload.image}`);
  return { kind: "held", inFlight };
}

export type Adoption =
  | { readonly kind: "adopted"; readonly change: Change | null }
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
  if (inFlight.execution === execution) return { kind: "adopted", change: null };
  if (inFlight.rollingBack) return { kind: "adopted", change: { inFlight: { ...inFlight, execution } } };
  const runsAnother = workload.image !== null && !sameImage(workload.image, image);
  if (runsAnother && inFlight.execution !== null) return lost(`the image was changed to ${workload.image}`);
  const marks = { ...inFlight, execution, previousImage: inferPreviousImage(workload, inFlight) };
  return { kind: "adopted", change: { inFlight: marks, ...(runsAnother ? { image } : {}) } };
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
