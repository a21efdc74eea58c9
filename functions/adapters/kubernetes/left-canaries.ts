import type { KubernetesApi } from "./api.ts";
import type { WorkloadKind } from "./kinds/kind.ts";
import type { KubernetesObject } from "./objects.ts";

/**
 * Returns the workloads that opted out while they had a canary, so that it is removed. `listed` has the uids of those that are
 * opted in. A canary is listed after its owner, because its name begins with that of its owner.
 */
export async function ownersOfLeftCanaries(
  objects: readonly KubernetesObject[],
  listed: ReadonlySet<string>,
  { canaryOwnerName = () => null, resource }: WorkloadKind,
  api: KubernetesApi,
): Promise<readonly KubernetesObject[]> {
  const owners: KubernetesObject[] = [];
  for (const { metadata } of objects) {
    const name = canaryOwnerName(metadata);
    const uids = metadata.ownerReferences?.map(({ uid }) => uid) ?? [];
    if (name === null || uids.some((uid) => listed.has(uid))) continue;
    const owner = await api.get<KubernetesObject>(resource, metadata.namespace, name);
    const isNew = owners.every((one) => one.metadata.uid !== owner?.metadata.uid);
    if (owner !== null && isNew && uids.includes(owner.metadata.uid)) owners.push(owner);
  }
  return owners;
}
