import type { KubernetesApi } from "../api.ts";
import { isForbidden } from "../errors.ts";
import { type CompactAutoUpdate, compactAutoUpdate, expandAutoUpdate } from "./compact.ts";
import { type AutoUpdate, autoUpdateName, resource, targetKey } from "./object.ts";

/** The AutoUpdates of a cluster. */
export interface AutoUpdates {
  /** Returns and removes the one of this target (a `targetKey`), if it has the name for its target; null if there is none. */
  take(key: string): AutoUpdate | null;
  /** Yields those that were not taken, and those with another name. */
  rest(): Iterable<AutoUpdate>;
  /** Whether the CRD is installed. */
  readonly isServed: boolean;
  /** The namespaces (null: all) that must not be listed: no update can be decided there. */
  readonly denied: ReadonlyMap<string | null, Error>;
}

/** Lists every AutoUpdate in these namespaces (null: all). */
export async function listAutoUpdates(
  namespaces: readonly (string | null)[],
  api: KubernetesApi,
): Promise<AutoUpdates> {
  const byTarget = new Map<string, CompactAutoUpdate>();
  const misnamed: CompactAutoUpdate[] = [];
  const denied = new Map<string | null, Error>();
  let isServed = false;
  for (const namespace of namespaces) {
    try {
      for await (const page of api.list<AutoUpdate>(resource, namespace, () => "full")) {
        isServed = true;
        for (const autoUpdate of page.items) {
          const { metadata, spec } = autoUpdate;
          const compact = compactAutoUpdate(autoUpdate);
          if (metadata.name !== autoUpdateName(spec.targetRef)) misnamed.push(compact);
          else byTarget.set(targetKey(metadata.namespace, spec.targetRef), compact);
        }
      }
    } catch (error) {
      if (!isForbidden(error)) throw error;
      isServed = true;
      denied.set(namespace, error);
    }
  }
  return {
    take(key) {
      const compact = byTarget.get(key);
      byTarget.delete(key);
      return compact === undefined ? null : expandAutoUpdate(compact);
    },
    *rest() {
      for (const compact of [...misnamed, ...byTarget.values()]) yield expandAutoUpdate(compact);
    },
    isServed,
    denied,
  };
}
