import { RE2JS } from "re2js";
import { admitsPrereleases, type Constraint, satisfies } from "./constraint.ts";
import { type Invalid, invalid } from "./invalid.ts";
import { compareVersions, parseVersion, type Version } from "./version.ts";

/** Which tags are looked at at all. */
export interface TagPattern {
  readonly kind: "pattern";
  readonly expression: RE2JS;
}

export interface Candidates {
  /** All tags of the repository, in any order. */
  readonly tags: readonly string[];
  readonly constraint: Constraint;
  /** What runs; null, and what is no version, is below everything. */
  readonly current: string | null;
  /** Never chosen. Compared as they are spelled: `v1.2.0` is not `1.2.0`. */
  readonly failed: readonly string[];
  /** null and absent look at every tag. */
  readonly pattern?: TagPattern | null;
}

export type Resolution =
  | { readonly kind: "version"; readonly tag: string }
  /** `reason` is a sentence for people. */
  | { readonly kind: "none"; readonly reason: string };

/**
 * Reads a regular expression of RE2, as Go has it: in linear time whatever is written, so that no owner's pattern holds
 * up the poll of all. It matches anywhere in a tag unless it says `^` and `$`.
 */
export function parseTagPattern(text: string): TagPattern | Invalid {
  try {
    return { kind: "pattern", expression: RE2JS.compile(text) };
  } catch (error) {
    return invalid(
      text,
      `is no regular expression of RE2: ${(error as Error).message.replace("error parsing regexp: ", "")}`,
    );
  }
}

/** Chooses the highest version that is within the constraint, has not failed and is newer than `current`; returns its tag. */
export function resolve({ tags, constraint, current, failed, pattern }: Candidates): Resolution {
  const considered = pattern ? tags.filter((tag) => pattern.expression.test(tag)) : tags;
  const versions = versionsAmong(considered);
  const admitted = versions.filter((version) => satisfies(constraint, version));
  const floor = parseVersion(current ?? "");
  const newer = admitted.filter((version) => floor === null || compareVersions(version, floor) > 0);
  const [best] = newer.filter(({ original }) => !failed.includes(original)).sort(bestFirst);
  if (best !== undefined) return { kind: "version", tag: best.original };
  return { kind: "none", reason: whyNone({ tags, considered, versions, admitted, newer }, constraint, current) };
}

/** The listing that was read last: all workloads that it is for are decided one after the other. */
let lastRead: { readonly tags: readonly string[]; readonly versions: readonly Version[] } = { tags: [], versions: [] };

function versionsAmong(tags: readonly string[]): readonly Version[] {
  if (lastRead.tags !== tags) {
    lastRead = { tags, versions: tags.map(parseVersion).filter((version) => version !== null) };
  }
  return lastRead.versions;
}

/** Of equal versions the one that is written out goes first (`1.20.0` before `1.20`, which may move), then by spelling. */
function bestFirst(a: Version, b: Version): number {
  return compareVersions(b, a) || b.writtenParts - a.writtenParts || (a.original < b.original ? -1 : 1);
}

interface Sieve {
  readonly tags: readonly string[];
  readonly considered: readonly string[];
  readonly versions: readonly Version[];
  readonly admitted: readonly Version[];
  readonly newer: readonly Version[];
}

/** Names the sieve in which the last tags were caught. */
function whyNone(sieve: Sieve, constraint: Constraint, current: string | null): string {
  const { tags, considered, versions, admitted, newer } = sieve;
  const { text } = constraint;
  if (tags.length === 0) return "the repository has no tags";
  if (considered.length === 0) return `none of ${tags.length} tags matches the tag pattern`;
  if (versions.length === 0) return `none of ${considered.length} tags is a version`;
  if (admitted.length === 0)
    return `none of ${versions.length} versions satisfies ${text}${hint(constraint, versions)}`;
  if (newer.length === 0) return `no version that satisfies ${text} is newer than ${current}`;
  return `every newer version that satisfies ${text} has failed before: ${newer.map(({ original }) => original).join(", ")}`;
}

/** The commonest surprise: `1.2.3-alpine` is a pre-release. */
function hint(constraint: Constraint, versions: readonly Version[]): string {
  const isPuzzling = !admitsPrereleases(constraint) && versions.every(({ semver }) => semver.prerelease.length > 0);
  return isPuzzling ? ": all are pre-releases, which count only where it names one, as in ^1.0.0-0" : "";
}
