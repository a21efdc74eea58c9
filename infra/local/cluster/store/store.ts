import type { KubeObject } from "../objects.ts";
import { apiVersionOf, type Resource } from "../resources.ts";
import { createChangeLog, type Change } from "./change-log.ts";

/** All objects of one cluster, in memory. Every write gets the next revision of the whole store. */
export interface Store {
  revision(): string;
  get(resource: Resource, namespace: string, name: string): KubeObject | undefined;
  /** In order of namespace and name; null lists all namespaces. `apiVersion` and `kind` are those of `resource`. */
  list(resource: Resource, namespace: string | null): readonly KubeObject[];
  put(resource: Resource, object: KubeObject): KubeObject;
  /** The object as it was last, at the revision of its removal. */
  remove(resource: Resource, object: KubeObject): KubeObject;
  /** What happened to the resource after a revision; null where that is no longer known. */
  changesSince(resource: Resource, revision: number): readonly Change[] | null;
  /** The first revision that a watch of this resource may start from. */
  startOf(resource: Resource): number;
  /** The listener is called within the write, so it must not write itself. */
  subscribe(listener: (change: Change) => void): () => void;
  /** Forgets the history, as etcd does every few minutes: a watch from before it is too old. */
  compact(): void;
}

export function createStore(): Store {
  const collections = new Map<string, Map<string, KubeObject>>();
  const listeners = new Set<(change: Change) => void>();
  const log = createChangeLog();
  let revision = 1;

  const collectionOf = (resource: Resource): Map<string, KubeObject> => {
    const existing = collections.get(collectionKey(resource));
    if (existing) return existing;
    const created = new Map<string, KubeObject>();
    collections.set(collectionKey(resource), created);
    log.open(collectionKey(resource), resource.custom ? revision : 0);
    return created;
  };

  const record = (change: Change): void => {
    log.append(collectionKey(change.resource), change);
    for (const listener of listeners) listener(change);
  };

  return {
    revision: () => String(revision),
    get(resource, namespace, name) {
      const object = collectionOf(resource).get(objectKey(namespace, name));
      return object && inVersion(resource, object);
    },
    list(resource, namespace) {
      const all = [...collectionOf(resource).entries()];
      const wanted = namespace === null ? all : all.filter(([key]) => key.startsWith(`${namespace}/`));
      return wanted.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => inVersion(resource, object));
    },
    put(resource, object) {
      const collection = collectionOf(resource);
      const key = objectKey(object.metadata.namespace ?? "", object.metadata.name);
      const previous = collection.get(key) ?? null;
      revision += 1;
      const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } };
      collection.set(key, stored);
      record({ type: previous ? "MODIFIED" : "ADDED", resource, object: stored, previous, revision });
      return stored;
    },
    remove(resource, object) {
      collectionOf(resource).delete(objectKey(object.metadata.namespace ?? "", object.metadata.name));
      revision += 1;
      const last = { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } };
      record({ type: "DELETED", resource, object: last, previous: object, revision });
      return last;
    },
    changesSince: (resource, from) => log.since(collectionKey(resource), from),
    startOf(resource) {
      collectionOf(resource);
      return log.start(collectionKey(resource));
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    compact: () => log.compact(revision),
  };
}

/** All versions of a custom resource are one collection. */
function collectionKey({ group, plural }: Resource): string {
  return `${group}/${plural}`;
}

function objectKey(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}

function inVersion(resource: Resource, object: KubeObject): KubeObject {
  const apiVersion = apiVersionOf(resource);
  return object.apiVersion === apiVersion ? object : { ...object, apiVersion };
}
