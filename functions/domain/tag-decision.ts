import { runningImage } from "./bookkeeping.ts";
import { parseConstraint } from "./constraint.ts";
import { type Decision, hold } from "./decision.ts";
import { replaceTag, tagOf } from "./image-reference.ts";
import { parseTagPattern, resolve } from "./resolve.ts";
import { higherVersion } from "./version.ts";
import type { Workload } from "./workload.ts";

/** What the tags of `source`, the image that a workload follows, say about it. */
export function decideByTag(workload: Workload, source: string, tags: readonly string[]): Decision {
  const { policy, bookkeeping } = workload;
  if (tags.length === 0) return hold("no-tags", `the registry lists no tags of ${source}`);
  if (isOfUnknownVersion(workload)) {
    return hold(
      "unknown-version",
      `${runningImage(workload)} carries no version to compare with: set pawl.dev/version-constraint or pawl.dev/current-version`,
    );
  }
  const constraint = parseConstraint(policy.versionConstraint ?? "");
  const pattern = policy.tagPattern === null ? null : parseTagPattern(policy.tagPattern);
  if (constraint.kind === "invalid") return { kind: "problem", problems: [constraint.reason] };
  if (pattern?.kind === "invalid") return { kind: "problem", problems: [pattern.reason] };
  const found = resolve({ tags, constraint, pattern, current: floor(workload), failed: bookkeeping.failedVersions });
  if (found.kind === "none") return holdWithNothingNewer(workload, found.reason);
  const image = replaceTag(source, found.tag);
  if (bookkeeping.circuitOpen) {
    const detail = `the circuit is open: version ${found.tag} is available and is not applied`;
    return { kind: "hold", reason: "circuit-open", detail, version: found.tag, image };
  }
  return { kind: "update", version: found.tag, image };
}

/** A manual rollback sticks: what runs is not what was recorded, and nothing newer than the record has come. */
function holdWithNothingNewer(workload: Workload, reason: string): Decision {
  const { currentVersion } = workload.bookkeeping;
  const running = tagOf(runningImage(workload) ?? "");
  if (currentVersion === null || running === "" || running === currentVersion) return hold("no-newer-version", reason);
  const detail = `${running} was chosen by hand instead of ${currentVersion}: held until something newer than ${currentVersion} appears`;
  return hold("changed-by-hand", detail);
}

/** The higher of what was recorded and what runs: a poll never downgrades, and never undoes a manual step back. */
export function floor(workload: Workload): string | null {
  const running = tagOf(runningImage(workload) ?? "");
  return higherVersion(workload.bookkeeping.currentVersion, running === "" ? null : running);
}

/** A built-in kind that runs `latest` or a hash, with nothing written that says what would be newer. */
function isOfUnknownVersion(workload: Workload): boolean {
  return workload.image !== null && workload.policy.versionConstraint === null && floor(workload) === null;
}
