import { parseTag } from "./parse-tag.ts";
import type { SemVer, Tag, Versioning } from "./tag.ts";

/**
 * Returns a negative number if `a` is lower, 0 if both are equal: parts as numbers, then the pre-release, then the revision. Spelling,
 * prefix and variant do not count, nor does build metadata.
 */
export function compareTags(a: Tag, b: Tag): number {
  return compareReleases(a, b) || compareNumbers(a.revision, b.revision, -1);
}

/** The same without revisions. */
export function compareReleases(a: Tag, b: Tag): number {
  return (
    compareCores(a.semver, b.semver) ||
    compareNumbers(a.moreParts, b.moreParts, 0) ||
    comparePrereleases(a.semver.prerelease, b.semver.prerelease)
  );
}

/** Compares what a constraint sees. */
export function compareSemVer(a: SemVer, b: SemVer): number {
  return compareCores(a, b) || comparePrereleases(a.prerelease, b.prerelease);
}

function compareCores(a: SemVer, b: SemVer): number {
  return a.major - b.major || a.minor - b.minor || a.patch - b.patch;
}

/** Compares lists of numbers, of which the shorter one continues with `absent`. */
export function compareNumbers(a: readonly number[], b: readonly number[], absent: number): number {
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const order = (a[index] ?? absent) - (b[index] ?? absent);
    if (order !== 0) return order;
  }
  return 0;
}

/** A release is higher than its pre-releases. */
function comparePrereleases(a: SemVer["prerelease"], b: SemVer["prerelease"]): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length;
  for (const [index, one] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    const order = compareIdentifiers(one, other);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Numbers are lower than words: https://semver.org/#spec-item-11 */
function compareIdentifiers(one: string | number, other: string | number): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  if (typeof one === typeof other) return one === other ? 0 : one < other ? -1 : 1;
  return typeof one === "number" ? -1 : 1;
}

/**
 * Returns the higher of two versions as written, `a` if they are equal. A text without a place in the order is lower; null if neither has
 * one.
 */
export function higherVersion(a: string | null, b: string | null, versioning: Versioning): string | null {
  const first = parseTag(a ?? "", versioning);
  const second = parseTag(b ?? "", versioning);
  if (first === null || second === null) return (first ?? second)?.original ?? null;
  return compareTags(first, second) >= 0 ? a : b;
}
