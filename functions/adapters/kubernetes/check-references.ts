import type { KubernetesApi } from "./api.ts";
import { configUses, mergeUses } from "./config/pod-config.ts";
import { unresolved } from "./config/read-config.ts";
import { isForbidden } from "./errors.ts";
import type { PodTemplate } from "./objects.ts";

/** What pods need that cannot be found, and what could not be looked up. Each is a sentence for people. */
export interface Lookup {
  readonly missing: readonly string[];
  readonly unchecked: readonly string[];
}

/**
 * Looks up what the pods of a template cannot start without: ConfigMaps and Secrets with their keys, the ServiceAccount and the
 * PersistentVolumeClaims. What the caller must not read is not checked. Throws what the API throws otherwise.
 */
export async function checkReferences(api: KubernetesApi, namespace: string, template: PodTemplate): Promise<Lookup> {
  const lookups: Promise<Lookup>[] = [];
  for (const use of mergeUses(configUses(template)).filter(({ isRequired }) => isRequired))
    lookups.push(
      look(`${use.kind}/${use.name}`, async () => {
        const content = await api.getConfigContent(use.kind, namespace, use.name);
        return unresolved(use, content).map(({ text }) => text);
      }),
    );
  const { serviceAccountName: account = "", volumes = [] } = template.spec;
  const claims = volumes.flatMap(({ persistentVolumeClaim: claim }) => claim?.claimName ?? []);
  const named = [
    ...(account === "" ? [] : [["ServiceAccount", account] as const]),
    ...claims.map((name) => ["PersistentVolumeClaim", name] as const),
  ];
  for (const [kind, name] of named) {
    const object = `${kind.toLowerCase()}/${name}`;
    lookups.push(
      look(object, async () =>
        (await api.exists(kind, namespace, name)) ? [] : [`${object}: does not exist; create it`],
      ),
    );
  }
  return joinLookups(await Promise.all(lookups));
}

async function look(object: string, find: () => Promise<readonly string[]>): Promise<Lookup> {
  try {
    return { missing: await find(), unchecked: [] };
  } catch (error) {
    if (!isForbidden(error)) throw error;
    return { missing: [], unchecked: [`${object}: you must not read it`] };
  }
}

/** Returns all results as one. */
export function joinLookups(all: readonly Lookup[]): Lookup {
  return { missing: all.flatMap(({ missing }) => missing), unchecked: all.flatMap(({ unchecked }) => unchecked) };
}
