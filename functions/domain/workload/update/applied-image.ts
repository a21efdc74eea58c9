import { writtenImage } from "../target/target.ts";
import { isAsWritten, isSameImage } from "../../image/reference.ts";
import type { InFlight } from "./in-flight.ts";

type Applied = Pick<InFlight, "target" | "appliedImage" | "isApplied" | "replacedImage" | "phase">;

/**
 * Reports whether an image is what an update wrote or, until its own image is set, what the one that it superseded did. Before the answer of
 * the API server is recorded, it may have any digest.
 */
export function isOwnImage(image: string, { target, appliedImage, isApplied, replacedImage, phase }: Applied): boolean {
  const isReplacedInPlace = isApplied === false || phase === "rollback";
  if (replacedImage !== undefined && isReplacedInPlace && isAsWritten(image, replacedImage)) return true;
  if (isApplied === false && appliedImage === undefined) return isAsWritten(image, writtenImage(target));
  return isSameImage(image, appliedImage ?? writtenImage(target));
}

/** Returns what a webhook of the cluster made of the image of an update; null if it has the tag and the repository that were written. */
export function rewriteReason({ target, appliedImage }: Pick<Applied, "target" | "appliedImage">): string | null {
  if (appliedImage === undefined || isAsWritten(appliedImage, writtenImage(target))) return null;
  return (
    `a mutating webhook or policy of the cluster changed the image ${writtenImage(target)} to ${appliedImage}; ` +
    `exempt this workload from it, or name the image in the workload as it does`
  );
}
