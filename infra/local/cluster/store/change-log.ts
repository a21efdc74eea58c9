import type { KubeObject } from "../objects.ts";
import type { Resource } from "../resources.ts";

export interface Change {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly resource: Resource;
  readonly object: KubeObject;
  /** What was there before; a watch with a selector must know whether the object left the selection. */
  readonly previous: KubeObject | null;
  readonly revision: number;
}

export interface ChangeLog {
  open(collection: string, revision: number): void;
  append(collection: string, change: Change): void;
  since(collection: string, revision: number): readonly Change[] | null;
  start(collection: string): number;
  compact(revision: number): void;
}

/** As many changes of one collection as can be replayed to a watch that comes back. */
const keptChanges = 4096;

export function createChangeLog(): ChangeLog {
  const histories = new Map<string, { start: number; changes: Change[] }>();
  const historyOf = (collection: string) => histories.get(collection) ?? { start: 0, changes: [] };
  return {
    open(collection, revision) {
      histories.set(collection, { start: revision, changes: [] });
    },
    append(collection, change) {
      const { changes, start } = historyOf(collection);
      changes.push(change);
      if (changes.length <= 2 * keptChanges) return;
      const kept = changes.slice(-keptChanges);
      histories.set(collection, { start: kept[0]?.revision ?? start, changes: kept });
    },
    since(collection, revision) {
      const { start, changes } = historyOf(collection);
      return revision < start ? null : changes.filter((change) => change.revision > revision);
    },
    start: (collection) => historyOf(collection).start,
    compact(revision) {
      for (const collection of histories.keys()) histories.set(collection, { start: revision, changes: [] });
    },
  };
}
