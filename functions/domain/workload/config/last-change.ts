import { formatRfc3339, fromEpoch, parseRfc3339, secondsBetween } from "../../text/rfc3339.ts";
import { summarizeList } from "../../text/summarize-list.ts";
import type { ConfigChange, ConfigTracking, ObservedConfig } from "./tracking.ts";

/** Two changes within this time follow each other. */
const quietSeconds = 3600;

/** So many changes that follow each other are reported. */
const manyChanges = 5;

/**
 * Returns the last change, with what a poll has seen; undefined before the first one. A poll sees only content: what was changed and changed
 * back between two polls has not changed.
 */
export function observeChange(
  { lastChange }: Pick<ConfigTracking, "lastChange">,
  { digest }: Pick<ObservedConfig, "digest">,
  changed: readonly string[],
  now: Date,
): ConfigChange | undefined {
  if (lastChange?.digest === digest || (lastChange === undefined && changed.length === 0)) return lastChange;
  const before = lastChange === undefined ? null : parseRfc3339(lastChange.since);
  const isFollowing = before !== null && secondsBetween(before, now) < quietSeconds;
  const since = formatRfc3339(fromEpoch(now.getTime() + 999));
  const { count = 0, references = [] } = lastChange ?? {};
  return {
    digest,
    since,
    count: isFollowing ? count + 1 : 1,
    references: changed.length === 0 ? references : namesOf(changed),
  };
}

/** Without the hashes of their keys. */
function namesOf(ids: readonly string[]): readonly string[] {
  return summarizeList([...new Set(ids.map((id) => id.split("#", 1).join()))]);
}

/** Describes what changes often. The text is the same for each change. */
export function describeOftenChanged({ references }: ConfigChange): string {
  return `${references.join(", ")} changes often: ${manyChanges} times, each within an hour of the time before`;
}

/** Reports whether the configuration changes so often that its owner should know. */
export function changesOften({ count }: ConfigChange): boolean {
  return count >= manyChanges;
}

/** Reports whether that begins with this change: it is reported once. */
export function beginsToChangeOften({ count }: ConfigChange): boolean {
  return count === manyChanges;
}
