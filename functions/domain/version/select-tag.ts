import { RE2JS } from "re2js";
import { allowsPrereleases, type Constraint, defaultConstraint, satisfies } from "./constraint.ts";
import { type ParseError, invalid } from "../text/parse-error.ts";
import { createDigitsFilter, createSpellingOrder } from "./spelling.ts";
import { compareVersions, parseVersion, type Version } from "./version.ts";

/** A filter of the tags to consider. */
interface TagPattern {
  readonly kind: "pattern";
  readonly expression: RE2JS;
}

/** What follows a version that failed: nothing until there is a newer one, or the highest of the others. */
export type OnFailure = "hold" | "tryOlder";

export interface Candidates {
  /** All tags of the repository, in any order. */
  readonly tags: readonly string[];
  readonly constraint: Constraint;
  /** The running version; null, and a tag that is not a version, is below everything. */
  readonly current: string | null;
  /** Never selected. Compared as spelled: `v1.2.0` is not `1.2.0`. */
  readonly failed: readonly string[];
  /** Absent: "tryOlder". */
  readonly onFailure?: OnFailure;
  /** null and absent consider every tag. */
  readonly pattern?: TagPattern | null;
}

/** `newest` is the highest version that was found, also one that the constraint excludes or that has failed; null if there is none. */
type TagSelection = { readonly newest: string | null } & (
  | { readonly kind: "version"; readonly tag: string }
  /** `reason` is a sentence for users. "no-match": no tag comes into question at all. */
  | { readonly kind: "no-newer-version" | "no-match" | "newer-failed"; readonly reason: string }
);

/**
 * Parses an RE2 regular expression, as in Go. It runs in linear time, so that no pattern can block the poll. It
 * matches anywhere in a tag unless it uses `^` and `$`.
 */
export function parseTagPattern(text: string): TagPattern | ParseError {
  try {
    return { kind: "pattern", expression: RE2JS.compile(text) };
  } catch (error) {
    return invalid(
      text,
      `is not an RE2 regular expression: ${(error as Error).message.replace("error parsing regexp: ", "")}`,
    );
  }
}

/**
 * Selects the highest version that satisfies the constraint, has not failed and is newer than `current`; returns its
 * tag. With `onFailure: hold` it is also newer than every version that failed.
 */
export function selectTag(candidates: Candidates): TagSelection {
  const { tags, constraint, current, failed, pattern } = candidates;
  const considered = pattern ? tags.filter((tag) => pattern.expression.test(tag)) : tags;
  const minimumVersion = parseVersion(current ?? "");
  const isVersion = createDigitsFilter(constraint, minimumVersion);
  const bySpelling = createSpellingOrder(minimumVersion);
  const isHigher = (a: Version, b: Version | null) => b === null || (compareVersions(a, b) || bySpelling(b, a)) > 0;
  const isNewer = (version: Version) => minimumVersion === null || compareVersions(version, minimumVersion) > 0;
  const newestFailed = newestFailedVersion(candidates);
  const isAllowed = (version: Version) =>
    newestFailed === null ? !failed.includes(version.original) : compareVersions(version, newestFailed) > 0;
  let best: Version | null = null;
  let newest: Version | null = null;
  // The cheapest question first: most tags are lower than another one.
  for (const version of parseVersions(considered)) {
    const isBest = isHigher(version, best) && isNewer(version) && isAllowed(version);
    const isNewest = isHigher(version, newest);
    if ((!isBest && !isNewest) || !isVersion(version)) continue;
    const isAdmitted = satisfies(constraint, version);
    if (isBest && isAdmitted) best = version;
    if (isNewest && (isAdmitted || version.semver.prerelease.length === 0)) newest = version;
  }
  const found = newest?.original ?? null;
  if (best !== null) return { kind: "version", tag: best.original, newest: found };
  const versions = parseVersions(considered).filter(isVersion);
  const admitted = versions.filter((version) => satisfies(constraint, version));
  const newer = admitted.filter(isNewer);
  const stages = { tags, considered, versions, admitted, newer };
  return { ...explainNone(stages, constraint, current, newestFailed), newest: found };
}

/**
 * Returns the highest version that failed, if only a newer one may follow it; null if older ones may. A version that is not above the
 * current one, or that the policy does not allow any more, holds nothing.
 */
export function newestFailedVersion(candidates: Omit<Candidates, "tags">): Version | null {
  const { constraint, current, failed, onFailure, pattern } = candidates;
  if (onFailure !== "hold") return null;
  const minimumVersion = parseVersion(current ?? "");
  const above = failed
    .filter((tag) => !pattern || pattern.expression.test(tag))
    .map(parseVersion)
    .filter((version) => version !== null)
    .filter((version) => satisfies(constraint, version))
    .filter((version) => minimumVersion === null || compareVersions(version, minimumVersion) > 0);
  return above.toSorted(compareVersions).at(-1) ?? null;
}

/** The listing that was parsed last: all workloads of one repository are decided one after the other. */
let lastParsed: { readonly tags: readonly string[]; readonly versions: readonly Version[] } = {
  tags: [],
  versions: [],
};

function parseVersions(tags: readonly string[]): readonly Version[] {
  if (lastParsed.tags !== tags) {
    lastParsed = { tags, versions: tags.map(parseVersion).filter((version) => version !== null) };
  }
  return lastParsed.versions;
}

interface SelectionStages {
  readonly tags: readonly string[];
  readonly considered: readonly string[];
  readonly versions: readonly Version[];
  readonly admitted: readonly Version[];
  readonly newer: readonly Version[];
}

/** Names the stage that removed the last tags. Numbers of tags would change with each push. */
function explainNone(
  stages: SelectionStages,
  constraint: Constraint,
  current: string | null,
  newestFailed: Version | null,
) {
  const { tags, considered, versions, admitted, newer } = stages;
  const { text } = constraint;
  const noMatch = (reason: string) => ({ kind: "no-match", reason }) as const;
  if (tags.length === 0) return noMatch("the repository has no tags");
  if (considered.length === 0) return noMatch("no tag matches the tag pattern");
  if (versions.length === 0) return noMatch(`no tag is a version${digitsHint(considered)}`);
  if (admitted.length === 0) return noMatch(`no version satisfies ${text}${prereleaseHint(constraint, versions)}`);
  const allowed = text === defaultConstraint ? "release" : `version that satisfies ${text}`;
  if (newer.length === 0)
    return { kind: "no-newer-version", reason: `no ${allowed} is newer than ${current}` } as const;
  if (newestFailed !== null) return { kind: "newer-failed", reason: describeFailed(newestFailed) } as const;
  const failed = newer.map(({ original }) => original).join(", ");
  return {
    kind: "newer-failed",
    reason: `every newer ${allowed} has failed before: ${failed}`,
  } as const;
}

/** Describes what a workload waits for after a version has failed. */
function describeFailed({ original }: Version): string {
  return `${original} failed; waits for a version newer than ${original}`;
}

/** The most common surprise: `1.2.3-alpine` is a pre-release. */
function prereleaseHint(constraint: Constraint, versions: readonly Version[]): string {
  const isPuzzling = !allowsPrereleases(constraint) && versions.every(({ semver }) => semver.prerelease.length > 0);
  return isPuzzling ? ": all are pre-releases, which match only if the constraint names one, as in ^1.0.0-0" : "";
}

/** A tag such as `4829103` is a version for people who write `20240101`. */
function digitsHint(tags: readonly string[]): string {
  const isPuzzling = tags.some((tag) => /^\d+$/.test(tag));
  return isPuzzling
    ? ": digits alone may be a commit hash, unless the constraint has such a version, as in >=20240101"
    : "";
}
