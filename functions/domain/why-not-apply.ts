import type { Target } from "./bookkeeping.ts";
import { canaryProblems } from "./canary-problems.ts";
import { assessDigests } from "./digest-verdict.ts";
import { replaceTag, sameImage, tagOf, versionOf, withoutDigest } from "./image-reference.ts";
import { isPinnedByHand } from "./poll-decision.ts";
import { floor } from "./tag-decision.ts";
import { higherVersion, parseVersion } from "./version.ts";
import type { Digests, DigestTracking } from "./tracking.ts";
import type { Workload } from "./workload.ts";

/** Why this may not be begun now although a poll chose it; null where it may. The world may have moved since. */
export function whyNot(workload: Workload, target: Target, now: Date): string | null {
  return target.isRestart ? whyNotRestart(workload, target, now) : whyNotApply(workload, target.image);
}

/** Why this image may not be applied; null where it may. */
export function whyNotApply(workload: Workload, image: string): string | null {
  const { policy, bookkeeping, wanted } = workload;
  const problems = [...workload.problems, ...canaryProblems(workload)];
  if (!policy.enabled) return "auto-update is not switched on";
  if (policy.paused) return "updates are paused";
  if (problems.length > 0) return problems.join("; ");
  if (wanted !== null) return sameImage(wanted, image) ? null : `the workload now asks for ${wanted}`;
  if (bookkeeping.circuitOpen) return "the circuit is open";
  if (isPinnedByHand(workload)) return "the image is pinned by digest";
  return whyNotVersion(workload, image);
}

function whyNotRestart(workload: Workload, { image, digests: chosen }: Target, now: Date): string | null {
  const { policy, problems, bookkeeping, digests } = workload;
  if (!policy.enabled) return "auto-update is not switched on";
  if (policy.paused) return "updates are paused";
  if (problems.length > 0) return problems.join("; ");
  if (bookkeeping.circuitOpen) return "the circuit is open";
  if (bookkeeping.failedVersions.includes(versionOf(image))) return `${versionOf(image)} has failed before`;
  const isFollowed = digests?.containers.some((one) => sameImage(one.image, withoutDigest(image))) ?? false;
  if (digests === null || !isFollowed) return `no container is followed any more that runs ${withoutDigest(image)}`;
  return whyNotMoved(digests, chosen ?? {}, now);
}

/** A poll may have looked before another execution restarted it: what that has recorded is not restarted for again. */
function whyNotMoved(tracking: DigestTracking, digests: Digests, now: Date): string | null {
  const behindTags = Object.fromEntries(Object.entries(digests).map(([name, digest]) => [name, [digest]]));
  const { kind } = assessDigests(tracking, { behindTags, running: null }, now);
  if (kind === "moved") return null;
  return kind === "returning" ? "it has left these digests behind meanwhile" : "it was started with these digests last";
}

function whyNotVersion(workload: Workload, image: string): string | null {
  const { bookkeeping, source } = workload;
  const version = tagOf(image);
  const newest = floor(workload);
  if (bookkeeping.failedVersions.includes(version)) return `version ${version} has failed before`;
  if (source === null || !sameImage(replaceTag(source, version), image)) return `the workload now follows ${source}`;
  const candidate = parseVersion(version);
  if (candidate === null || (newest !== null && higherVersion(newest, version) !== version)) {
    return `version ${version} is not newer than ${newest}`;
  }
  return version === newest ? `version ${version} runs already` : null;
}
