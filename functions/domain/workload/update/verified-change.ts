import { isDigestPinned, isSameImage, isSameRepository, parseImageReference } from "../../image/reference.ts";
import { isEnforced, isRefused, type VerificationOutcome } from "../../signature/outcome.ts";
import { hasOwnClaim } from "../record/current-version.ts";
import type { Change } from "./change.ts";
import type { Target } from "../target/target.ts";
import type { Workload } from "../workload.ts";

/** How long an update waits whose image is not verified any more: it is asked about again after that. */
export const unverifiedWaitSeconds = 3600;

/** Returns why an update must not start by what was verified of its image; null if it may. */
export function verificationFailure(
  workload: Workload,
  target: Target,
  verification: VerificationOutcome | undefined,
): string | null {
  if (target.kind === "release") return null;
  const { kind = "disabled", reason = "" } = verification ?? {};
  if (isRefused({ kind })) return unverifiedReason(reason);
  if (kind === "verified") return unpinnedReason(workload, target);
  return workload.policy.isVerifyRequired ? missingRuleReason : null;
}

export const missingRuleReason =
  "its policy requires a verified image, and no rule of the deployment that is enforced is for its repository";

export function unverifiedReason(reason: string): string {
  return `the image is not verified: ${reason}`;
}

/** Returns why a verified digest cannot be written; null if it can, or nothing is written. */
export function unpinnedReason(workload: Workload, target: Target): string | null {
  const { policy, record, ref, digests } = workload;
  if (target.kind === "digest") {
    const isOther = digests?.containers.some(({ image }) => !isSameImage(image, target.image)) ?? true;
    return isOther ? "containers with another image are tracked by digest too, and only one can be verified" : null;
  }
  if (target.kind !== "image" || isDigestPinned(target.image)) return null;
  if (hasOwnClaim(record))
    return `the image of a ${ref.kind} is a tag, and what a tag resolves to may change after that`;
  return policy.pin === "tag" ? "its policy says that its image has no digest (pin: tag)" : null;
}

/** Returns the digests that a restart pins its containers to: what was verified is what they pull. */
export function verifiedPins(
  { digests }: Workload,
  target: Target,
  verification: VerificationOutcome | undefined,
): Pick<Change, "written"> {
  if (target.kind !== "digest" || verification?.kind !== "verified" || verification.digest === null) return {};
  const { digest } = verification;
  return { written: Object.fromEntries((digests?.containers ?? []).map(({ name }) => [name, digest])) };
}

/** Returns the images that a change writes and that are neither the verified one nor in place already. */
export function unverifiedImages(
  workload: Workload,
  { image, canary, template }: Change,
  target: Target,
  verification: VerificationOutcome | undefined,
): readonly string[] {
  if (verification === undefined || !isEnforced(verification)) return [];
  const containers = [...(template?.spec.containers ?? []), ...(template?.spec.initContainers ?? [])];
  const written = [image, canary?.image, ...containers.map((container) => container.image)];
  return written.filter((one): one is string => {
    if (one === undefined || one === null || isSameImage(one, workload.image ?? "")) return false;
    return !isVerified(one, target, verification);
  });
}

function isVerified(image: string, target: Target, { kind, digest }: VerificationOutcome): boolean {
  const parsed = parseImageReference(image);
  if ("kind" in parsed || kind !== "verified" || digest === null) return false;
  return parsed.digest === digest && isSameRepository(image, target.image);
}

/** Returns the pins of a change that are neither of the verified digest nor of a pod template that the workload ran. */
export function unverifiedPins(
  { pins = {}, written = {} }: Change,
  verification: VerificationOutcome | undefined,
  ran: readonly string[],
): readonly string[] {
  if (verification === undefined || !isEnforced(verification)) return [];
  const verified = verification.kind === "verified" ? verification.digest : null;
  const digests = [...Object.values(pins), ...Object.values(written)].filter((digest) => digest !== null);
  return digests.filter((digest) => digest !== verified && !ran.some((image) => image.endsWith(`@${digest}`)));
}
