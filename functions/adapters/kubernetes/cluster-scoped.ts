import type { CustomObjectsApi } from "@kubernetes/client-node";
import { Conflict } from "../errors.ts";
import { isStatus, namedError, statusBody } from "./errors.ts";
import { apiVersionOf, type Identified, type ObjectMeta, pathOf, type Resource } from "./objects.ts";
import { listPage, pages } from "./pages.ts";
import { answered, deleted, fieldManager, named, type Options, orNull } from "./requests.ts";

/** An object of a kind that lives in no namespace. */
export interface ClusterObject extends Identified {
  readonly metadata: Omit<ObjectMeta, "namespace" | "ownerReferences"> & {
    readonly labels?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly OwnerReference[];
  };
}

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** What is asked of objects of custom kinds that live in no namespace, with errors under the names that the machine retries on. */
export interface ClusterScopedApi {
  /** null where there is no such object, or no such kind. */
  get<T extends ClusterObject>(resource: Resource, name: string): Promise<T | null>;
  /** Every object, whole; none where there is no such kind. */
  list<T extends ClusterObject>(resource: Resource): Promise<readonly T[]>;
  /** A merge patch. Returns the object as patched. Throws `Conflict` where its resourceVersion is no longer the object's. */
  patch<T>(resource: Resource, name: string, body: object, subresource?: "status"): Promise<T>;
  /** Returns the object as made. Throws `Conflict` where one of its name is there already. */
  create<T>(resource: Resource, body: object): Promise<T>;
  /** Only the object of this uid. Gone already is as good. */
  remove(resource: Resource, name: string, uid: string): Promise<void>;
}

export function clusterScopedApi(objects: CustomObjectsApi, options: Options): ClusterScopedApi {
  const asMergePatch = () => options({ "Content-Type": "application/merge-patch+json" });
  return {
    get: (resource, name) =>
      orNull(`read ${resource.kind} ${name}`, () =>
        objects.getClusterCustomObject({ ...pathOf(resource), name }, options()),
      ),

    async list<T extends ClusterObject>(resource: Resource) {
      const found: T[] = [];
      const page = (token: string | undefined) => listPage<T>(objects, resource, null, token, options());
      for await (const { items } of pages(page, () => "whole", `list ${resource.plural}`)) found.push(...items);
      return found;
    },

    patch: (resource, name, body, subresource) =>
      named(`patch ${resource.kind} ${name}`, () => {
        const request = { ...pathOf(resource), name, body, fieldManager };
        return subresource === "status"
          ? objects.patchClusterCustomObjectStatus(request, asMergePatch())
          : objects.patchClusterCustomObject(request, asMergePatch());
      }),

    async create(resource, body) {
      const what = `create a ${resource.kind}`;
      const whole = { apiVersion: apiVersionOf(resource), kind: resource.kind, ...body };
      try {
        const request = { ...pathOf(resource), body: whole, fieldManager };
        return answered(await objects.createClusterCustomObject(request, options()), what);
      } catch (error) {
        if (!isStatus(error, 409)) throw namedError(error, what);
        throw new Conflict(`${what}: 409 ${statusBody(error).message ?? ""}`.trim(), { cause: error });
      }
    },

    remove: (resource, name, uid) =>
      deleted(`delete ${resource.kind} ${name}`, () =>
        objects.deleteClusterCustomObject({ ...pathOf(resource), name, body: { preconditions: { uid } } }, options()),
      ),
  };
}
