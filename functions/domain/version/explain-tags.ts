import { satisfies } from "./constraint.ts";
import { type Candidates, newestFailedVersion } from "./select-tag.ts";
import { createDigitsFilter } from "./spelling.ts";
import { compareVersions, parseVersion, type Version } from "./version.ts";

/** A tag, and why `selectTag` passes over it; null if it may be selected. */
export interface ExplainedTag {
  readonly tag: string;
  readonly reason: string | null;
}

/** Explains each tag by the first rule of `selectTag` that excludes it. Versions come first, the highest before others. */
export function explainTags(candidates: Candidates): readonly ExplainedTag[] {
  const newestFailed = newestFailedVersion(candidates);
  const explained = candidates.tags.map((tag) => ({
    tag,
    version: parseVersion(tag),
    reason: exclude(tag, candidates, newestFailed),
  }));
  const order = (one: Version | null, other: Version | null) =>
    one === null || other === null ? Number(one === null) - Number(other === null) : compareVersions(other, one);
  return explained.toSorted((a, b) => order(a.version, b.version)).map(({ tag, reason }) => ({ tag, reason }));
}

function exclude(
  tag: string,
  { constraint, current, failed, pattern }: Candidates,
  newestFailed: Version | null,
): string | null {
  const version = parseVersion(tag);
  const minimum = parseVersion(current ?? "");
  if (pattern && !pattern.expression.test(tag)) return "does not match the tag pattern";
  if (version === null) return "is not a version";
  if (!createDigitsFilter(constraint, minimum)(version)) return "digits alone may be a commit hash";
  if (!satisfies(constraint, version)) return `does not satisfy ${constraint.text}`;
  if (minimum !== null && compareVersions(version, minimum) <= 0) return `is not newer than ${current}`;
  if (failed.includes(tag)) return "has failed before";
  const isHeld = newestFailed !== null && compareVersions(version, newestFailed) <= 0;
  return isHeld ? `is not newer than ${newestFailed.original}, which failed` : null;
}
