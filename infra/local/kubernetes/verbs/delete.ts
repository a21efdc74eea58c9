import { ApiError } from "../api-errors.ts";
import { timestamp, type KubeObject } from "../objects.ts";
import { customResourceDefinitions, namespaces, type Resource } from "../resources.ts";
import { refOf, read, type Api, type ObjectRef } from "./context.ts";

export interface DeleteOptions {
  readonly propagationPolicy?: string;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/**
 * Deletes an object, or sets its deletionTimestamp if it has finalizers. Dependents are garbage-collected, except with the
 * policy Orphan. Throws 404, or 409 if a precondition fails.
 */
export function deleteObject(
  api: Api,
  ref: ObjectRef,
  options: DeleteOptions,
): { object: KubeObject; isDeleted: boolean } {
  const current = read(api, ref);
  checkPreconditions(ref, current, options);
  if (options.propagationPolicy === "Orphan") orphanDependents(api, current);
  const object = ref.resource === namespaces ? terminating(current) : current;
  const held = ref.resource === namespaces || current.metadata.finalizers !== undefined;
  if (!held) {
    if (ref.resource === customResourceDefinitions) removeCustomResources(api, current);
    return { object: api.store.remove(ref.resource, current), isDeleted: true };
  }
  if (current.metadata.deletionGracePeriodSeconds === 0) return { object: current, isDeleted: false };
  const generation = current.metadata.generation && { generation: current.metadata.generation + 1 };
  const mark = { deletionTimestamp: timestamp(api.now()), deletionGracePeriodSeconds: 0, ...generation };
  return {
    object: api.store.put(ref.resource, { ...object, metadata: { ...object.metadata, ...mark } }),
    isDeleted: false,
  };
}

function terminating(namespace: KubeObject): KubeObject {
  return { ...namespace, status: { phase: "Terminating" } };
}

/** Throws 409 if the object's UID or resourceVersion differs from the preconditions. */
export function checkPreconditions(
  { resource, name }: ObjectRef,
  { metadata }: KubeObject,
  { preconditions }: DeleteOptions,
): void {
  const { uid, resourceVersion } = preconditions ?? {};
  const conflict = (message: string): ApiError =>
    new ApiError(409, "Conflict", `Operation cannot be fulfilled on ${resource.kind} "${name}": ${message}`, {
      name,
      ...(resource.group && { group: resource.group }),
      kind: resource.kind,
    });
  if (uid !== undefined && uid !== metadata.uid) {
    throw conflict(`the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid})`);
  }
  if (resourceVersion === undefined || resourceVersion === metadata.resourceVersion) return;
  const found = `the ResourceVersion in record (${metadata.resourceVersion})`;
  throw conflict(`the ResourceVersion in the precondition (${resourceVersion}) does not match ${found}`);
}

/** Returns all objects with an owner reference to this object. */
export function dependentsOf(api: Api, owner: KubeObject): readonly { resource: Resource; object: KubeObject }[] {
  return api.resourceRegistry
    .all()
    .flatMap((resource) => api.store.list(resource, null).map((object) => ({ resource, object })))
    .filter(({ object }) => object.metadata.ownerReferences?.some((reference) => reference.uid === owner.metadata.uid));
}

function orphanDependents(api: Api, owner: KubeObject): void {
  for (const { resource, object } of dependentsOf(api, owner)) {
    const { ownerReferences = [], ...metadata } = object.metadata;
    const others = ownerReferences.filter((reference) => reference.uid !== owner.metadata.uid);
    const kept = others.length > 0 ? { ...metadata, ownerReferences: others } : metadata;
    api.store.put(resource, { ...object, metadata: kept });
  }
}

function removeCustomResources(api: Api, crd: KubeObject): void {
  const served = api.resourceRegistry
    .all()
    .filter((one) => one.custom && crd.metadata.name === `${one.plural}.${one.group}`);
  for (const resource of served) {
    for (const object of api.store.list(resource, null)) api.store.remove(resource, read(api, refOf(resource, object)));
  }
  api.resourceRegistry.remove(crd);
}
