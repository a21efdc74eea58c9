import { isCommitFollowed } from "../git/git-claim.ts";
import { isAsWritten, isSameImage, withoutDigest } from "../../image/reference.ts";
import { isOwnImage } from "../update/applied-image.ts";
import { secondsBetween } from "../../text/rfc3339.ts";
import { imageOfTarget, keepsImages, type Target } from "../target/target.ts";
import type { InFlight } from "../update/in-flight.ts";
import type { Workload } from "../workload.ts";

/** Describes why an update is held whose workload a person has changed. */
export function describeSuperseded(workload: Workload, inFlight: InFlight): string {
  return `${describeManualChange(workload, inFlight)} while ${imageOfTarget(inFlight.target)} was rolled out`;
}

/** Describes the manual change. */
export function describeManualChange({ image, requestedImage }: Workload, { phase }: InFlight): string {
  if (phase === "release") return "the pod template was changed";
  return phase === "restart" ? "the restart was reverted" : `the image was changed to ${requestedImage ?? image}`;
}

/**
 * Reports whether the image or the restart in place is Pawl's own, or still as the claim read it. Anything else is a
 * manual change.
 */
export function isManagedChange(workload: Workload, inFlight: InFlight): boolean {
  const { image, requestedImage } = workload;
  const { phase, target, previousImage } = inFlight;
  if (phase === "rollback") return true;
  // Its controller replaces what a person sets meanwhile.
  if (isCommitFollowed(inFlight)) return true;
  if (phase === "release") return isReleaseInPlace(workload, inFlight);
  if (inFlight.isApplied === false) return isAsClaimed(workload, inFlight);
  if (phase === "restart") return isRestartInPlace(workload, inFlight);
  if (requestedImage !== null && !isSameImage(requestedImage, target.image)) return false;
  if (image === null || isOwnImage(image, inFlight)) return true;
  return phase === "canary" && previousImage !== null && isAsWritten(image, previousImage) && !isCanaryUndone(workload);
}

/**
 * A canary of a Deployment runs beside it: the Deployment itself still has the previous image. A StatefulSet has the target in its
 * template: if its canary runs the previous image, a person set that back.
 */
function isCanaryUndone({ image, canary }: Workload): boolean {
  return image !== null && typeof canary?.image === "string" && isSameImage(canary.image, image);
}

/** Any other pod template than that of the release, or before it is written the one that the claim read, is a person's. */
function isReleaseInPlace({ releases }: Workload, { release, isApplied }: InFlight): boolean {
  return releases?.hash === release?.hash || (isApplied === false && releases?.hash === release?.previousHash);
}

/** Before the change is written: another image than the claim read, or than a restart is for, is a person's. */
function isAsClaimed(workload: Workload, inFlight: InFlight): boolean {
  const { image } = workload;
  const { phase, target, previousImage } = inFlight;
  if (phase === "restart") return isTrackedTag(workload, target);
  if (image === null) return true;
  return isOwnImage(image, inFlight) || (previousImage !== null && isAsWritten(image, previousImage));
}

/** Reports whether a container still tracks the tag of a restart, or none is known to; for its configuration, whether it still runs it. */
function isTrackedTag({ image: own, digests }: Workload, target: Target): boolean {
  if (keepsImages(target)) return isSameImage(withoutDigest(own ?? ""), target.image);
  return digests?.containers.some(({ image }) => isSameImage(image, target.image)) ?? true;
}

/** The clock of a person, or of another function, may be behind by this. Two restarts are further apart. */
const clockSkewSeconds = 10;

/** A later restart is fine: its pods run the digest of the tag too. */
function isRestartInPlace(workload: Workload, { target, startedAt }: InFlight): boolean {
  const { restartedAt } = workload;
  if (!isTrackedTag(workload, target) || restartedAt === null) return false;
  return startedAt === "malformed" || secondsBetween(restartedAt, startedAt) <= clockSkewSeconds;
}
