import type { KubeObject } from "../objects.ts";
import { apiVersionOf, type Resource } from "../resources.ts";
import { createWatchCache, type StoredChange } from "./watch-cache.ts";

/** All objects of one cluster, in memory. Every write gets the next revision of the whole store. */
export interface Store {
  revision(): string;
  get(resource: Resource, namespace: string, name: string): KubeObject | undefined;
  /** Returns objects in order of namespace and name; null lists all namespaces. `apiVersion` is that of `resource`. */
  list(resource: Resource, namespace: string | null): readonly KubeObject[];
  /** Returns the objects that have one of these owners, in order of namespace and name. */
  listOwned(resource: Resource, ownerUids: readonly string[]): readonly KubeObject[];
  put(resource: Resource, object: KubeObject): KubeObject;
  /** Returns the last state of the object, with the revision of its removal. */
  remove(resource: Resource, object: KubeObject): KubeObject;
  /** Returns the changes of a resource after a revision; null if the history does not go back that far. */
  changesSince(resource: Resource, revision: number): readonly StoredChange[] | null;
  /** Returns the first revision from which a watch of this resource can start. */
  oldestRevision(resource: Resource): number;
  /** Calls the listener during each write; it must not write. */
  subscribe(listener: (change: StoredChange) => void): () => void;
  /** Deletes the history, like etcd every few minutes: watches from before it are too old. */
  compact(): void;
}

export function createStore(): Store {
  const collections = new Map<string, Map<string, KubeObject>>();
  /** Collections whose keys are in order: a Map keeps the place of a key whose object is replaced. */
  const sorted = new Set<string>();
  /** Keys of objects, by collection and uid of an owner: a controller would otherwise list all objects for each of them. */
  const owned = new Map<string, Set<string>>();
  const listeners = new Set<(change: StoredChange) => void>();
  const log = createWatchCache();
  let revision = 1;

  const collectionOf = (resource: Resource): Map<string, KubeObject> => {
    const existing = collections.get(collectionKey(resource));
    if (existing) return existing;
    const created = new Map<string, KubeObject>();
    collections.set(collectionKey(resource), created);
    log.open(collectionKey(resource), resource.custom ? revision : 0);
    return created;
  };

  const sortedCollectionOf = (resource: Resource): ReadonlyMap<string, KubeObject> => {
    const name = collectionKey(resource);
    const collection = collectionOf(resource);
    if (sorted.has(name)) return collection;
    const inOrder = new Map([...collection].toSorted(([a], [b]) => (a < b ? -1 : 1)));
    collections.set(name, inOrder);
    sorted.add(name);
    return inOrder;
  };

  const index = (resource: Resource, { metadata }: KubeObject, isStored: boolean): void => {
    for (const { uid } of metadata.ownerReferences ?? []) {
      const key = ownerKey(resource, uid);
      const keys = owned.get(key) ?? new Set();
      if (isStored) keys.add(keyOf(metadata));
      else keys.delete(keyOf(metadata));
      if (keys.size === 0) owned.delete(key);
      else owned.set(key, keys);
    }
  };

  const record = (change: StoredChange): void => {
    log.append(collectionKey(change.resource), change);
    for (const listener of listeners) listener(change);
  };

  return {
    revision: () => String(revision),
    get(resource, namespace, name) {
      const object = collectionOf(resource).get(objectKey(namespace, name));
      return object && withApiVersion(resource, object);
    },
    list(resource, namespace) {
      const all = [...sortedCollectionOf(resource).values()];
      const selected =
        namespace === null ? all : all.filter(({ metadata }) => (metadata.namespace ?? "") === namespace);
      return selected.map((object) => withApiVersion(resource, object));
    },
    listOwned(resource, ownerUids) {
      const keys = new Set(ownerUids.flatMap((uid) => [...(owned.get(ownerKey(resource, uid)) ?? [])]));
      const collection = collectionOf(resource);
      return [...keys].toSorted().map((key) => withApiVersion(resource, collection.get(key) as KubeObject));
    },
    put(resource, object) {
      const collection = collectionOf(resource);
      const key = keyOf(object.metadata);
      const previous = collection.get(key) ?? null;
      if (previous !== null) index(resource, previous, false);
      index(resource, object, true);
      if (previous === null) sorted.delete(collectionKey(resource));
      revision += 1;
      const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } };
      collection.set(key, stored);
      record({ type: previous ? "MODIFIED" : "ADDED", resource, object: stored, previous, revision });
      return stored;
    },
    remove(resource, object) {
      const previous = collectionOf(resource).get(keyOf(object.metadata));
      if (previous !== undefined) index(resource, previous, false);
      collectionOf(resource).delete(keyOf(object.metadata));
      revision += 1;
      const last = { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } };
      record({ type: "DELETED", resource, object: last, previous: object, revision });
      return last;
    },
    changesSince: (resource, from) => log.changesSince(collectionKey(resource), from),
    oldestRevision(resource) {
      collectionOf(resource);
      return log.oldestRevision(collectionKey(resource));
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    compact: () => log.compact(revision),
  };
}

/** Returns the key of a collection; all versions of a custom resource share one. */
function collectionKey({ group, plural }: Resource): string {
  return `${group}/${plural}`;
}

function ownerKey(resource: Resource, uid: string): string {
  return `${collectionKey(resource)}/${uid}`;
}

function keyOf({ namespace = "", name }: KubeObject["metadata"]): string {
  return objectKey(namespace, name);
}

function objectKey(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}

function withApiVersion(resource: Resource, object: KubeObject): KubeObject {
  const apiVersion = apiVersionOf(resource);
  return object.apiVersion === apiVersion ? object : { ...object, apiVersion };
}
