import { higherVersion } from "../../functions/domain/version/compare-tags.ts";

/** One version that was pushed: a tag, or `tag@digest` of a tag that moves. */
export interface Release {
  readonly version: string;
  /** Whether its pods become ready. */
  readonly isGood: boolean;
  /** Milliseconds since the epoch. */
  readonly pushedAt: number;
}

/** What was pushed, by repository, oldest first. */
export type Releases = ReadonlyMap<string, readonly Release[]>;

/** Reports whether a version becomes ready; undefined if it was not pushed. */
export function isGoodVersion(releases: Releases, repository: string, version: string): boolean | undefined {
  return releases.get(repository)?.find((release) => release.version === version)?.isGood;
}

/**
 * Returns whether the pods of an attempt at a version, which ended at a time, became ready; both if its tag had moved on by then, because a
 * pod pulls what its tag names when it starts. Empty if the version was not pushed.
 */
export function possibleResults(
  releases: Releases,
  repository: string,
  version: string,
  endedAt: number,
): ReadonlySet<boolean> {
  const pushed = releases.get(repository) ?? [];
  const own = pushed.findIndex((release) => release.version === version);
  const isMoving = version.includes("@");
  const candidates = pushed.filter(
    ({ pushedAt }, index) => index === own || (isMoving && own !== -1 && index > own && pushedAt <= endedAt),
  );
  return new Set(candidates.map(({ isGood }) => isGood));
}

/** Returns the highest good version of a repository with tags that do not move, but for those that are blamed. */
export function highestGood(releases: Releases, repository: string, blamed: readonly string[] = []): string {
  const good = (releases.get(repository) ?? []).filter(({ isGood, version }) => isGood && !blamed.includes(version));
  return good.reduce<string | null>((highest, { version }) => higherVersion(highest, version, "semver"), null) ?? "";
}

/** Reports whether version `one` is higher than `other`. */
export function isHigher(one: string, other: string): boolean {
  return one !== other && higherVersion(one, other, "semver") === one;
}
