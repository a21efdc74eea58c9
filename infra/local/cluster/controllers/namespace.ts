import type { KubeObject } from "../objects.ts";
import { namespaces } from "../resources.ts";
import { placeOf, type Api } from "../rules/api.ts";
import { destroy } from "../rules/destroy.ts";

/** Empties a namespace that is being deleted, and removes it once nothing with a finalizer is left in it. */
export function reconcileNamespace(api: Api, namespace: KubeObject): void {
  if (namespace.metadata.deletionTimestamp === undefined) return;
  const content = () =>
    api.catalogue
      .all()
      .filter((resource) => resource.namespaced)
      .flatMap((resource) =>
        api.store.list(resource, namespace.metadata.name).map((object) => placeOf(resource, object)),
      );
  for (const place of content()) destroy(api, place, {});
  if (content().length === 0) api.store.remove(namespaces, namespace);
}
