import type { CustomObjectsApi } from "@kubernetes/client-node";
import { Conflict } from "../../ports/errors.ts";
import { isStatus, toPortError, statusBody } from "./errors.ts";
import { apiVersionOf, type Identified, type ListScope, type ObjectMeta, pathOf, type Resource } from "./objects.ts";
import { listPage, maxPageBytes, paginate } from "./paginate.ts";
import {
  assertKubernetesObject,
  ignoreNotFoundOnDelete,
  fieldManager,
  mapErrors,
  type RequestOptions,
  nullIfNotFound,
} from "./requests.ts";

/** A cluster-scoped object. */
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

/** The requests for cluster-scoped custom resources. Throws errors by the names that the state machine retries on. */
export interface ClusterScopedApi {
  /** Returns null if the object or the kind does not exist. */
  get<T extends ClusterObject>(resource: Resource, name: string): Promise<T | null>;
  /** Returns every object, or those that a label selector matches, in full; none if the kind does not exist. */
  list<T extends ClusterObject>(resource: Resource, labelSelector?: string): Promise<readonly T[]>;
  /** Applies a merge patch and returns the result. Throws `Conflict` if the resourceVersion is outdated. */
  patch<T>(resource: Resource, name: string, body: object, subresource?: "status"): Promise<T>;
  /** Returns the created object. Throws `Conflict` if the name is taken. */
  create<T>(resource: Resource, body: object): Promise<T>;
  /** Deletes the object if it has this uid; does nothing if it does not exist. */
  delete(resource: Resource, name: string, uid: string): Promise<void>;
}

export function createClusterScopedApi(objects: CustomObjectsApi, options: RequestOptions): ClusterScopedApi {
  const asMergePatch = () => options({ "Content-Type": "application/merge-patch+json" });
  return {
    get: (resource, name) =>
      nullIfNotFound(`read ${resource.kind} ${name}`, () =>
        objects.getClusterCustomObject({ ...pathOf(resource), name }, options()),
      ),

    async list<T extends ClusterObject>(resource: Resource, labelSelector?: string) {
      const found: T[] = [];
      const page = (_continue: string | undefined, _scope: ListScope, limit: number) =>
        listPage<T>(objects, resource, null, { _continue, limit, labelSelector }, options({}, maxPageBytes));
      const what = `list ${resource.plural}`;
      for await (const { items } of paginate(page, () => "full", { what })) found.push(...items);
      return found;
    },

    patch: (resource, name, body, subresource) =>
      mapErrors(`patch ${resource.kind} ${name}`, () => {
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
        return assertKubernetesObject(await objects.createClusterCustomObject(request, options()), what);
      } catch (error) {
        if (!isStatus(error, 409)) throw toPortError(error, what);
        throw new Conflict(`${what}: 409 ${statusBody(error).message ?? ""}`.trim(), { cause: error });
      }
    },

    delete: (resource, name, uid) =>
      ignoreNotFoundOnDelete(`delete ${resource.kind} ${name}`, () =>
        objects.deleteClusterCustomObject({ ...pathOf(resource), name, body: { preconditions: { uid } } }, options()),
      ),
  };
}
