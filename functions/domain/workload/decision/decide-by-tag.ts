import { circuitGate } from "../../gates/circuit.ts";
import { holdByGate, passGates } from "../../gates/gates.ts";
import { manualChangeGate } from "../../gates/manual-change.ts";
import { lastVersion, runningImage } from "../record/current-version.ts";
import { parseConstraint } from "../../version/constraint.ts";
import { type Decision, hold } from "./decision.ts";
import { replaceTag, tagOf } from "../../image/reference.ts";
import { newestFailedVersion, parseTagPattern, selectTag } from "../../version/select-tag.ts";
import { higherVersion } from "../../version/version.ts";
import type { Workload } from "../workload.ts";

/** Decides by the tags of `source`, the image that a workload tracks. */
export function decideByTag(workload: Workload, source: string, tags: readonly string[], now: Date): Decision {
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
    onFailure: policy.onFailure,
  });
  const found = selection.newest === null ? {} : { available: selection.newest };
  if (selection.kind !== "version") {
    const held = holdByGate(workload, null, now, manualChangeGate) ?? hold(selection.kind, selection.reason);
    return { ...held, ...found };
  }
  const target = { kind: "image", image: replaceTag(source, selection.tag) } as const;
  return passGates(workload, { kind: "update", target, ...found }, now, circuitGate);
}

/**
 * Returns the highest of the recorded and the running version: a poll neither downgrades nor reverts a manual change.
 */
export function minimumVersion(workload: Workload): string | null {
  const running = tagOf(runningImage(workload) ?? "");
  return higherVersion(lastVersion(workload), running === "" ? null : running);
}

/** Returns the version that failed and holds everything that is not newer; null if there is none. */
export function newestFailed(workload: Workload): string | null {
  const { policy, updateRecord } = workload;
  const constraint = parseConstraint(policy.versionConstraint ?? "");
  const pattern = policy.tagPattern === null ? null : parseTagPattern(policy.tagPattern);
  if (constraint.kind === "invalid" || pattern?.kind === "invalid") return null;
  const { onFailure } = policy;
  const failed = updateRecord.failedVersions;
  const newest = newestFailedVersion({ constraint, current: minimumVersion(workload), failed, onFailure, pattern });
  return newest?.original ?? null;
}

/** Reports whether a built-in kind runs `latest` or a hash and nothing defines which version would be newer. */
function hasUnknownVersion(workload: Workload): boolean {
  return workload.image !== null && workload.policy.versionConstraint === null && minimumVersion(workload) === null;
}
