/**
 * How a tag is read. "container": a version, its revision and a variant, as in `1.25.3-alpine3.20`. "semver": the whole tag is a version of
 * Masterminds/semver v3, so that `-alpine3.20` is a pre-release.
 */
export type Versioning = "container" | "semver";

export const versionings = ["container", "semver"] as const satisfies readonly Versioning[];

/** A version of semver.org, without its build metadata. */
export interface SemVer {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  readonly prerelease: readonly (string | number)[];
}

/** A tag that has a place in the order of versions. */
export interface Tag {
  /** As written: the spelling in the registry and in lists of failed versions. */
  readonly original: string;
  /** What a constraint sees: the first three parts, with 0 for each absent one, and the pre-release. */
  readonly semver: SemVer;
  /** How many parts are written. */
  readonly writtenParts: number;
  /** The parts after the third. */
  readonly moreParts: readonly number[];
  /** What stands before the version, such as `noble-`; empty if nothing or `v` does. */
  readonly prefix: string;
  /** Such as `alpine3.20`, `jdk`, `debian-12`; empty if there is none. Has no order. */
  readonly variant: string;
  /** Of the build, after the version and after the variant; -1 for an absent one. Empty if there is neither. */
  readonly revision: readonly number[];
}
