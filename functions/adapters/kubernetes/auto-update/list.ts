import type { KubernetesApi } from "../api.ts";
import { isForbidden } from "../errors.ts";
import type { KubernetesObject, Resource } from "../objects.ts";
import { type CompactAutoUpdate, compactAutoUpdate, expandAutoUpdate } from "./status/compact.ts";
import { type AutoUpdate, autoUpdateName, groupOf, resource, autoUpdateKey, type TargetRef } from "./object.ts";

/** The AutoUpdates of a cluster. */
export interface AutoUpdates {
  /** Returns and removes the one of this target (a `targetKey`), if it has the name for its target; null if there is none. */
  take(key: string): AutoUpdate | null;
  /** Yields those that were not taken, and those with another name. */
  rest(): Iterable<AutoUpdate>;
  /** Reports whether an AutoUpdate with another target has the name of this object's own. */
  isNameTaken(object: KubernetesObject, target: Resource): boolean;
  /** Whether the CRD is installed. */
  readonly isServed: boolean;
  /** The namespaces (null: all) that must not be listed: no update can be decided there. */
  readonly denied: ReadonlyMap<string | null, Error>;
}

/** Lists every AutoUpdate in these namespaces (null: all). `targets` are the kinds that use AutoUpdates. */
export async function listAutoUpdates(
  namespaces: readonly (string | null)[],
  targets: readonly Resource[],
  api: KubernetesApi,
): Promise<AutoUpdates> {
  const byTarget = new Map<string, CompactAutoUpdate>();
  const misnamed: CompactAutoUpdate[] = [];
  const taken = new Set<string>();
  const denied = new Map<string | null, Error>();
  let isServed = false;
  for (const namespace of namespaces) {
    try {
      for await (const page of api.list<AutoUpdate>(resource, namespace, () => "full")) {
        isServed = true;
        for (const autoUpdate of page.items) {
          const { metadata, spec } = autoUpdate;
          const compact = compactAutoUpdate(autoUpdate);
          const isMisnamed = metadata.name !== autoUpdateName(spec.targetRef);
          if (isMisnamed || !isSupported(spec.targetRef, targets)) taken.add(`${metadata.namespace}/${metadata.name}`);
          if (isMisnamed) misnamed.push(compact);
          else byTarget.set(autoUpdateKey(metadata.namespace, spec.targetRef), compact);
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
    isNameTaken: ({ metadata: { namespace, name } }, { kind }) =>
      taken.has(`${namespace}/${autoUpdateName({ kind, name })}`),
    isServed,
    denied,
  };
}

function isSupported({ apiVersion, kind }: TargetRef, targets: readonly Resource[]): boolean {
  return targets.some((target) => target.kind === kind && target.group === groupOf(apiVersion));
}
