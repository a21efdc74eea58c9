/** A version of a function or of a state machine. */
export interface DeployedVersion {
  readonly arn: string;
  readonly createdAt: Date;
}

/** No execution runs for longer than seven days; a gradual deployment sends updates to the version before for another half an hour. */
const maxUseMilliseconds = 8 * 86_400_000;

/**
 * Returns the versions that nothing uses: not among the newest `keep`, not in `used`, and replaced so long ago that whatever began with them
 * has ended. Oldest last.
 */
export function unusedVersions(
  versions: readonly DeployedVersion[],
  { used, keep, now }: { readonly used: ReadonlySet<string>; readonly keep: number; readonly now: Date },
): readonly DeployedVersion[] {
  const newestFirst = versions.toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
  return newestFirst.filter(({ arn }, index) => {
    const replacedAt = newestFirst[index - 1]?.createdAt ?? now;
    return index >= keep && !used.has(arn) && now.getTime() - replacedAt.getTime() > maxUseMilliseconds;
  });
}
