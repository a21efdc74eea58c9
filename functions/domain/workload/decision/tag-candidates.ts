import { tagOf } from "../../image/reference.ts";
import type { ParseError } from "../../text/parse-error.ts";
import { higherVersion } from "../../version/compare-tags.ts";
import { parseConstraint } from "../../version/constraint.ts";
import { isChannel } from "../../version/channel.ts";
import type { Candidates } from "../../version/select-tag.ts";
import { parseTagPattern } from "../../version/tag-pattern.ts";
import { parseTag } from "../../version/parse-tag.ts";
import { parseVariants } from "../../version/variants.ts";
import { lastVersion, runningImage } from "../record/current-version.ts";
import { versioningOf } from "../policy/versioning.ts";
import type { Workload } from "../workload.ts";

/** Returns what to select from these tags, by the policy of a workload; or what is invalid in it. */
export function tagCandidates(workload: Workload, tags: readonly string[]): Candidates | ParseError {
  const { policy, updateRecord } = workload;
  const versioning = versioningOf(policy);
  const constraint = parseConstraint(policy.versionConstraint, versioning);
  const pattern = policy.tagPattern === null ? null : parseTagPattern(policy.tagPattern);
  const variants = policy.variant === null ? null : parseVariants(policy.variant);
  if (constraint.kind === "invalid") return constraint;
  if (pattern?.kind === "invalid") return pattern;
  if (variants?.kind === "invalid") return variants;
  const current = minimumVersion(workload);
  const running = parseTag(runningTag(workload), versioning)?.original ?? current;
  const { onFailure } = policy;
  const failed = updateRecord.failedVersions;
  return { tags, versioning, constraint, pattern, variants, current, running, failed, onFailure };
}

/**
 * Returns the highest of the recorded and the running version: a poll neither downgrades nor reverts a manual change.
 */
export function minimumVersion(workload: Workload): string | null {
  const running = runningTag(workload);
  return higherVersion(lastVersion(workload), running === "" ? null : running, versioningOf(workload.policy));
}

/**
 * Returns why nothing tells which version a built-in kind runs, so that none is newer; null if something does. A constraint does so for a
 * word such as `latest`; for a commit hash, and a word that may be a variant, its owner has to name the variants too.
 */
export function unknownVersionReason(workload: Workload): string | null {
  const { image, policy } = workload;
  if (image === null || minimumVersion(workload) !== null) return null;
  const running = runningImage(workload);
  const isConstrained = policy.versionConstraint !== null;
  if (versioningOf(policy) === "semver" || isChannel(runningTag(workload))) {
    const help = "set pawl.dev/version-constraint, or run pawl push";
    return isConstrained ? null : `${running} has no version to compare with; ${help}`;
  }
  if (isConstrained && policy.variant !== null) return null;
  const help = "run pawl push, or set pawl.dev/version-constraint and pawl.dev/variant";
  return `${running} has no order among versions; ${help}`;
}

function runningTag(workload: Workload): string {
  return tagOf(runningImage(workload) ?? "");
}
