import type { KubeObject } from "../objects.ts";
import type { Resource } from "../resources.ts";

export interface StoredChange {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly resource: Resource;
  readonly object: KubeObject;
  /** The object before the change; a watch needs it to detect that an object stops matching its selector. */
  readonly previous: KubeObject | null;
  readonly revision: number;
}

interface WatchCache {
  open(collection: string, revision: number): void;
  append(collection: string, change: StoredChange): void;
  changesSince(collection: string, revision: number): readonly StoredChange[] | null;
  oldestRevision(collection: string): number;
  compact(revision: number): void;
}

/** The minimum number of changes per collection that a reconnecting watch can replay. */
const maxChanges = 4096;

export function createWatchCache(): WatchCache {
  const histories = new Map<string, { start: number; changes: StoredChange[] }>();
  const historyOf = (collection: string) => histories.get(collection) ?? { start: 0, changes: [] };
  return {
    open(collection, revision) {
      histories.set(collection, { start: revision, changes: [] });
    },
    append(collection, change) {
      const { changes, start } = historyOf(collection);
      changes.push(change);
      if (changes.length <= 2 * maxChanges) return;
      const kept = changes.slice(-maxChanges);
      histories.set(collection, { start: kept[0]?.revision ?? start, changes: kept });
    },
    changesSince(collection, revision) {
      const { start, changes } = historyOf(collection);
      return revision < start ? null : changes.filter((change) => change.revision > revision);
    },
    oldestRevision: (collection) => historyOf(collection).start,
    compact(revision) {
      for (const collection of histories.keys()) histories.set(collection, { start: revision, changes: [] });
    },
  };
}
