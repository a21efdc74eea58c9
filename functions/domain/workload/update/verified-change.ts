import {
  isDigestPinned,
  isSameImage,
  isSameRepository,
  parseImageReference,
  pinToDigest,
  withoutDigest,
} from "../../image/reference.ts";
import { isEnforced, isRefused, type VerificationOutcome } from "../../signature/outcome.ts";
import { hasEnforcedRule, type RuleScope } from "../../signature/rule.ts";
import { hasOwnClaim } from "../record/current-version.ts";
import type { Change } from "./change.ts";
import type { InFlight } from "./in-flight.ts";
import { isRestart, type Target } from "../target/target.ts";
import { type RestartedImage, restartedImages } from "./restarted-images.ts";
import type { Workload } from "../workload.ts";

/** How long an update waits whose image is not verified any more: it is asked about again after that. */
export const unverifiedWaitSeconds = 3600;

/** Returns why an update must not start by what was verified of its image; null if it may. What else a restart pulls is verified when it is written. */
export function verificationFailure(
  workload: Workload,
  target: Target,
  verification: VerificationOutcome | undefined,
  scopes: readonly RuleScope[] = [],
): string | null {
  if (target.kind === "release") return null;
  const { kind = "disabled", reason = "" } = verification ?? {};
  if (isRestart(target)) {
    const isPulled = restartedImages(workload, target).some(({ image }) => isSameImage(image, target.image));
    if (isPulled && isRefused({ kind })) return unverifiedReason(reason);
    return restartFailure(workload, target, scopes);
  }
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
export function unpinnedReason({ policy, record, ref }: Workload, target: Target): string | null {
  if (target.kind !== "image" || isDigestPinned(target.image)) return null;
  if (hasOwnClaim(record))
    return `the image of a ${ref.kind} is a tag, and what a tag resolves to may change after that`;
  return policy.pin === "tag" ? pinnedToTagReason : null;
}

const pinnedToTagReason = "its policy says that its image has no digest (pin: tag)";

/** Returns why a restart must not start by the rules for what its containers pull; null if it may. */
export function restartFailure(workload: Workload, target: Target, scopes: readonly RuleScope[]): string | null {
  const { policy, ref } = workload;
  const images = restartedImages(workload, target);
  const ruled = images.filter(({ image }) => hasEnforcedRule(scopes, image, ref.namespace));
  if (policy.isVerifyRequired && ruled.length < images.length) return missingRuleReason;
  return policy.pin === "tag" && ruled.length > 0 ? pinnedToTagReason : null;
}

/** Returns the images that a restart pulls and that an enforced rule is for: their verified digests are written. */
export function restartsToProve(
  workload: Workload,
  { restart, inFlight }: Change,
  { target, scopes }: Pick<Known, "target" | "scopes">,
): readonly RestartedImage[] {
  if (restart === undefined) return [];
  return restartedImages(workload, target, inFlight?.digests).filter(({ image }) =>
    hasEnforcedRule(scopes, image, workload.ref.namespace),
  );
}

/** Returns a restart that writes the digest that was verified for what a container pulls. */
export function withRestartedDigest(change: Change, { container, image }: RestartedImage, digest: string): Change {
  if (container === null) return { ...change, image: pinToDigest(image, digest) };
  return { ...change, written: { ...change.written, [container]: digest } };
}

/** What is known of the images that a step may write. */
export interface Known {
  readonly target: Target;
  readonly verification: VerificationOutcome | undefined;
  /** What the rules of the deployment are for. */
  readonly scopes: readonly RuleScope[];
}

/** Reports whether an image must not be written without a proof: an enforced rule is for its own repository, or for that of the update. */
export function isGuarded(image: string, namespace: string, { verification, scopes }: Omit<Known, "target">): boolean {
  return isEnforced(verification) || hasEnforcedRule(scopes, image, namespace);
}

/** Returns the images that a change writes and that need a proof: they are neither the verified one nor in place already. */
export function imagesToProve(workload: Workload, change: Change, known: Known): readonly string[] {
  const { image, canary, template } = change;
  const containers = [...(template?.spec.containers ?? []), ...(template?.spec.initContainers ?? [])];
  const references = [image, canary?.image, ...containers.map((container) => container.image)];
  const written = [...references, ...pinnedImages(workload, change)].filter((one): one is string => Boolean(one));
  return [...new Set(written)].filter((one) => {
    if (!isGuarded(one, workload.ref.namespace, known) || isSameImage(one, workload.image ?? "")) return false;
    return !isVerified(one, known);
  });
}

/** Returns what the containers run whose digests a change writes beside their tags. */
function pinnedImages({ digests, image: own }: Workload, { pins = {}, written = {} }: Change): readonly string[] {
  return [...Object.entries(pins), ...Object.entries(written)].flatMap(([name, digest]) => {
    const image = digests?.containers.find((one) => one.name === name)?.image ?? own;
    return digest === null || image === null ? [] : [pinToDigest(withoutDigest(image), digest)];
  });
}

function isVerified(image: string, { target, verification }: Known): boolean {
  const parsed = parseImageReference(image);
  if ("kind" in parsed || verification?.kind !== "verified" || verification.digest === null) return false;
  return parsed.digest === verification.digest && isSameRepository(image, target.image);
}

/** Returns the digest that was verified for what a restart pulls; null if that is another image than its target. */
export function restartedDigest({ target, verification }: Omit<Known, "scopes">, image: string): string | null {
  if (verification?.kind !== "verified" || verification.digest === null) return null;
  const { digest } = verification;
  const isOwn = [target.image, pinToDigest(target.image, digest)].some((one) => isSameImage(one, image));
  return isOwn ? digest : null;
}

/**
 * Returns a change with an image by the digest that was verified for it; null if it cannot be written so: the image of a kind without a digest,
 * or one that the change writes elsewhere too.
 */
export function withVerifiedDigest({ record }: Workload, change: Change, image: string, digest: string): Change | null {
  if (image.endsWith(`@${digest}`)) return change;
  if (isDigestPinned(image) || change.image !== image || hasOwnClaim(record)) return null;
  return { ...change, image: pinToDigest(image, digest) };
}

/** Returns an update as if nothing were known of the time before it: its revert restores nothing, and blames nothing. */
export function withoutPrevious(
  workload: Workload,
  inFlight: InFlight,
): { readonly workload: Workload; readonly inFlight: InFlight } {
  const { policy, digests } = workload;
  const containers = digests?.containers.map(({ digest: _digest, ...container }) => container) ?? [];
  return {
    workload: {
      ...workload,
      policy: { ...policy, rollsBackDigests: false },
      digests: digests === null ? null : { ...digests, containers },
    },
    inFlight: { ...inFlight, previousImage: null },
  };
}
