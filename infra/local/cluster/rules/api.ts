import { notFound } from "../failure.ts";
import type { KubeObject } from "../objects.ts";
import type { Resource } from "../resources.ts";
import type { Catalogue } from "../store/catalogue.ts";
import type { Store } from "../store/store.ts";

/** What the rules of reading and writing work on; HTTP requests and controllers go through the same rules. */
export interface Api {
  readonly store: Store;
  readonly catalogue: Catalogue;
  readonly now: () => Date;
}

/** Where an object lies; `namespace` is "" for what has none. */
export interface Place {
  readonly resource: Resource;
  readonly namespace: string;
  readonly name: string;
}

export function placeOf(resource: Resource, object: KubeObject): Place {
  return { resource, namespace: object.metadata.namespace ?? "", name: object.metadata.name };
}

/** Throws 404. */
export function read(api: Api, { resource, namespace, name }: Place): KubeObject {
  const object = api.store.get(resource, namespace, name);
  if (!object) throw notFound(resource, name);
  return object;
}
