import { CoreV1Api, CustomObjectsApi, type KubeConfig } from "@kubernetes/client-node";
import { type ConfigApi, createConfigApi } from "./config/config-api.ts";
import { type CoreApi, createCoreApi } from "./core-api.ts";
import { isStatus, toPortError } from "./errors.ts";
import {
  type KubernetesObject,
  type ListPage,
  type ListScope,
  type ObjectMeta,
  pathOf,
  type Resource,
} from "./objects.ts";
import { type ObjectPage, listPage, maxPageBytes, type PagePosition, paginate } from "./paginate.ts";
import { slimPage } from "./slim-object.ts";
import { createSkip, type OnTooLarge } from "./skip-object.ts";
import { ignoreNotFoundOnDelete, fieldManager, mapErrors, nullIfNotFound, createRequestOptions } from "./requests.ts";

type PatchType = "application/merge-patch+json" | "application/strategic-merge-patch+json";

export const asMetadataList = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

/** The requests that Pawl makes, for any kind. Throws errors by the names that the state machine retries on. */
export interface KubernetesApi extends CoreApi, ConfigApi {
  /** Returns null if the object or the kind does not exist. */
  get<T extends KubernetesObject>(resource: Resource, namespace: string, name: string): Promise<T | null>;
  /**
   * Yields every object, or those that a label selector matches, in pages of at most 500 and 8 MiB, each in the scope that `nextScope`
   * returns; nothing if the kind does not exist. An object that is larger is skipped, if `onTooLarge` is given. `from`
   * is where an earlier list stopped.
   */
  list<T extends KubernetesObject>(
    resource: Resource,
    namespace: string | null,
    nextScope: () => ListScope,
    labelSelector?: string,
    onTooLarge?: OnTooLarge,
    from?: PagePosition | null,
  ): AsyncGenerator<ObjectPage<T>>;
  /** Returns the objects that a label selector matches; none if the kind does not exist. */
  listSelected<T extends KubernetesObject>(
    resource: Resource,
    namespace: string,
    selector: string,
  ): Promise<readonly T[]>;
  /** Returns the patched object. Throws `Conflict` if the resourceVersion of the patch is outdated. */
  patch<T>(resource: Resource, target: ObjectMeta, type: PatchType, body: object, subresource?: "status"): Promise<T>;
  /** Returns the created object, or what it would be; null if the name is taken. */
  create<T>(
    resource: Resource,
    namespace: string,
    body: object,
    options?: { readonly isDryRun: boolean },
  ): Promise<T | null>;
  /** Deletes the object and its dependents if it has this uid (and, on request, this resourceVersion); otherwise does nothing. */
  delete(resource: Resource, target: ObjectMeta, options?: { readonly ifUnchanged: boolean }): Promise<void>;
}

export function createKubernetesApi(
  kubeConfig: KubeConfig,
  ...[onResponse]: Parameters<typeof createRequestOptions>
): KubernetesApi {
  const objects = kubeConfig.makeApiClient(CustomObjectsApi);
  const core = kubeConfig.makeApiClient(CoreV1Api);
  const options = createRequestOptions(onResponse);

  return {
    async get(resource, namespace, name) {
      const request = { ...pathOf(resource), namespace, name };
      return nullIfNotFound(`read ${resource.kind} ${namespace}/${name}`, () =>
        objects.getNamespacedCustomObject(request, options()),
      );
    },

    list<T extends KubernetesObject>(
      resource: Resource,
      namespace: string | null,
      nextScope: () => ListScope,
      labelSelector?: string,
      onTooLarge?: OnTooLarge,
      from: PagePosition | null = null,
    ) {
      const request = <Page>(_continue: string | undefined, limit: number, headers: Readonly<Record<string, string>>) =>
        listPage<unknown>(
          objects,
          resource,
          namespace,
          { _continue, limit, labelSelector },
          options(headers, maxPageBytes),
        ) as Promise<Page>;
      const page = async (token: string | undefined, scope: ListScope, limit: number) =>
        slimPage(await request<ListPage<T>>(token, limit, scope === "metadata" ? { Accept: asMetadataList } : {}));
      return paginate(page, nextScope, {
        what: `list ${resource.plural}`,
        from,
        isAlwaysServed: resource.group === "apps",
        skip: onTooLarge && createSkip(resource, (token, headers) => request(token, 1, headers), onTooLarge),
      });
    },

    async listSelected<T extends KubernetesObject>(resource: Resource, namespace: string, labelSelector: string) {
      const request = { ...pathOf(resource), namespace, labelSelector };
      const found = await nullIfNotFound(`list ${resource.plural} of ${namespace}`, () =>
        objects.listNamespacedCustomObject(request, options()),
      );
      return (found as { readonly items?: readonly T[] } | null)?.items ?? [];
    },

    async patch(resource, { namespace, name }, type, body, subresource) {
      const request = { ...pathOf(resource), namespace, name, body, fieldManager };
      const asPatch = options({ "Content-Type": type });
      const patch = () =>
        subresource === "status"
          ? objects.patchNamespacedCustomObjectStatus(request, asPatch)
          : objects.patchNamespacedCustomObject(request, asPatch);
      return mapErrors(`patch ${resource.kind} ${namespace}/${name}`, patch, true);
    },

    async create(resource, namespace, body, { isDryRun } = { isDryRun: false }) {
      try {
        return await objects.createNamespacedCustomObject(
          { ...pathOf(resource), namespace, body, fieldManager, ...(isDryRun ? { dryRun: "All" } : {}) },
          options(),
        );
      } catch (error) {
        if (isStatus(error, 409)) return null;
        throw toPortError(error, `create a ${resource.kind} in ${namespace}`, true);
      }
    },

    async delete(resource, { namespace, name, uid, resourceVersion }, { ifUnchanged } = { ifUnchanged: false }) {
      const preconditions = { uid, ...(ifUnchanged ? { resourceVersion } : {}) };
      const body = { preconditions, propagationPolicy: "Background" };
      const request = { ...pathOf(resource), namespace, name, body };
      await ignoreNotFoundOnDelete(`delete ${resource.kind} ${namespace}/${name}`, () =>
        objects.deleteNamespacedCustomObject(request, options()),
      );
    },

    ...createCoreApi(core, options),
    ...createConfigApi(core, options),
  };
}
