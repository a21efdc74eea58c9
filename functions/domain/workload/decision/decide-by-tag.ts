import { isSetForward, runningImage } from "../record/current-version.ts";
import { parseConstraint } from "../../version/constraint.ts";
import { type Decision, type Hold, hold } from "./decision.ts";
import { lastSucceeded } from "../release/mint-release.ts";
import { replaceTag, tagOf } from "../../image/reference.ts";
import { parseTagPattern, selectTag } from "../../version/select-tag.ts";
import { higherVersion } from "../../version/version.ts";
import type { Workload } from "../workload.ts";

/** Decides by the tags of `source`, the image that a workload tracks. */
export function decideByTag(workload: Workload, source: string, tags: readonly string[]): Decision {
  const { policy, updateRecord } = workload;
  if (tags.length === 0) return hold("no-tags", `the registry lists no tags for ${source}`);
  if (hasUnknownVersion(workload)) {
    return hold(
      "unknown-version",
      `${runningImage(workload)} has no version to compare with; set pawl.dev/version-constraint, or run pawl push`,
    );
  }
  const constraint = parseConstraint(policy.versionConstraint ?? "");
  const pattern = policy.tagPattern === null ? null : parseTagPattern(policy.tagPattern);
  if (constraint.kind === "invalid")
    return { kind: "problem", problems: [{ field: null, code: "InvalidValue", text: constraint.reason }] };
  if (pattern?.kind === "invalid")
    return { kind: "problem", problems: [{ field: null, code: "InvalidValue", text: pattern.reason }] };
  const selection = selectTag({
    tags,
    constraint,
    pattern,
    current: minimumVersion(workload),
    failed: updateRecord.failedVersions,
  });
  const found = selection.newest === null ? {} : { available: selection.newest };
  if (selection.kind !== "version")
    return { ...holdWithNothingNewer(workload, hold(selection.kind, selection.reason)), ...found };
  const target = { kind: "image", image: replaceTag(source, selection.tag) } as const;
  if (updateRecord.circuitOpen) {
    const detail = `the circuit is open: version ${selection.tag} is available but not applied`;
    return { kind: "hold", reason: "circuit-open", detail, target, ...found };
  }
  return { kind: "update", target, ...found };
}

/**
 * Holds after a manual rollback: the running version is lower than the recorded one, or is none, and nothing newer than the
 * record exists.
 */
function holdWithNothingNewer(workload: Workload, nothing: Hold): Hold {
  const last = lastVersion(workload);
  const running = tagOf(runningImage(workload) ?? "");
  const isExpected = last === null || running === "" || running === last;
  if (isExpected || isSetForward(running, last)) return nothing;
  const release = lastSucceeded(workload);
  const isRestored = release?.rolledBackFrom !== undefined && release.version === running;
  const how = isRestored
    ? `was restored in place of release ${release.rolledBackFrom}`
    : `was set manually instead of ${last}`;
  const detail = `${running} ${how}: held until a version newer than ${last} appears`;
  return hold("manual-change", detail);
}

/**
 * Returns the highest of the recorded and the running version: a poll neither downgrades nor reverts a manual change.
 */
export function minimumVersion(workload: Workload): string | null {
  const running = tagOf(runningImage(workload) ?? "");
  return higherVersion(lastVersion(workload), running === "" ? null : running);
}

/** Returns the higher of the version that was last healthy and the one whose update a person replaced. */
function lastVersion({ updateRecord: { currentVersion, heldVersion } }: Workload): string | null {
  return heldVersion === null ? currentVersion : higherVersion(currentVersion, heldVersion);
}

/** Reports whether a built-in kind runs `latest` or a hash and nothing defines which version would be newer. */
function hasUnknownVersion(workload: Workload): boolean {
  return workload.image !== null && workload.policy.versionConstraint === null && minimumVersion(workload) === null;
}
