import type { KubernetesApi } from "../api.ts";
import { isForbidden } from "../errors.ts";
import { compactAutoUpdate } from "./compact.ts";
import { type AutoUpdate, autoUpdateName, resource, targetKey } from "./object.ts";

/** The AutoUpdates of a cluster. */
export interface AutoUpdates {
  /** By `targetKey`; only those that have the name for their target. Each is removed when it was joined to its target. */
  readonly byTarget: Map<string, AutoUpdate>;
  /** Those with another name. */
  readonly misnamed: readonly AutoUpdate[];
  /** Whether the CRD is installed. */
  readonly isServed: boolean;
  /** The namespaces (null: all) that must not be listed: no update can be decided there. */
  readonly denied: ReadonlyMap<string | null, Error>;
}

/** Lists every AutoUpdate, in compact form, in these namespaces (null: all). */
export async function listAutoUpdates(
  namespaces: readonly (string | null)[],
  api: KubernetesApi,
): Promise<AutoUpdates> {
  const byTarget = new Map<string, AutoUpdate>();
  const misnamed: AutoUpdate[] = [];
  const denied = new Map<string | null, Error>();
  let isServed = false;
  for (const namespace of namespaces) {
    try {
      for await (const page of api.list<AutoUpdate>(resource, namespace, () => "full")) {
        isServed = true;
        for (const autoUpdate of page.items.map(compactAutoUpdate)) {
          const { metadata, spec } = autoUpdate;
          if (metadata.name !== autoUpdateName(spec.targetRef)) misnamed.push(autoUpdate);
          else byTarget.set(targetKey(metadata.namespace, spec.targetRef), autoUpdate);
        }
      }
    } catch (error) {
      if (!isForbidden(error)) throw error;
      isServed = true;
      denied.set(namespace, error);
    }
  }
  return { byTarget, misnamed, isServed, denied };
}
