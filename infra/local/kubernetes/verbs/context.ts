import { notFound } from "../api-errors.ts";
import type { KubeObject } from "../objects.ts";
import type { Resource } from "../resources.ts";
import type { ResourceRegistry } from "../store/resource-registry.ts";
import type { Store } from "../store/store.ts";

/** The state that all verbs use; HTTP requests and controllers call the same verbs. */
export interface Api {
  readonly store: Store;
  readonly resourceRegistry: ResourceRegistry;
  readonly now: () => Date;
}

/** The reference of an object; `namespace` is "" for cluster-scoped objects. */
export interface ObjectRef {
  readonly resource: Resource;
  readonly namespace: string;
  readonly name: string;
}

export function refOf(resource: Resource, object: KubeObject): ObjectRef {
  return { resource, namespace: object.metadata.namespace ?? "", name: object.metadata.name };
}

/** Returns an object. Throws 404. */
export function read(api: Api, { resource, namespace, name }: ObjectRef): KubeObject {
  const object = api.store.get(resource, namespace, name);
  if (!object) throw notFound(resource, name);
  return object;
}
