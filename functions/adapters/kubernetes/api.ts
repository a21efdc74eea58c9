import { CoreV1Api, CustomObjectsApi, type KubeConfig } from "@kubernetes/client-node";
import { type CoreApi, coreApi } from "./core-api.ts";
import { isStatus, namedError } from "./errors.ts";
import { type KubernetesObject, type ListForm, type ObjectMeta, pathOf, type Resource } from "./objects.ts";
import { type Listed, listPage, pages } from "./pages.ts";
import { deleted, fieldManager, named, orNull, requestOptions } from "./requests.ts";

export type PatchType = "application/merge-patch+json" | "application/strategic-merge-patch+json";

export const asMetadataList = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

/** The few requests that Pawl makes, for any kind alike, with errors under the names that the machine retries on. */
export interface KubernetesApi extends CoreApi {
  /** null where there is no such object, or no such kind. */
  get<T extends KubernetesObject>(resource: Resource, namespace: string, name: string): Promise<T | null>;
  /** Every object, in pages of 500, each in the form that is asked for by then; nothing where there is no such kind. */
  list<T extends KubernetesObject>(
    resource: Resource,
    namespace: string | null,
    form: () => ListForm,
  ): AsyncGenerator<Listed<T>>;
  /** Returns the object as patched. Throws `Conflict` where the patch's resourceVersion is no longer the object's. */
  patch<T>(resource: Resource, target: ObjectMeta, type: PatchType, body: object, subresource?: "status"): Promise<T>;
  /** Returns the object as made; null where one of its name is there already. */
  create<T>(resource: Resource, namespace: string, body: object): Promise<T | null>;
  /** Only the object of this uid, with what belongs to it. Gone already is as good. */
  remove(resource: Resource, target: ObjectMeta): Promise<void>;
}

export function kubernetesApi(kubeConfig: KubeConfig): KubernetesApi {
  const objects = kubeConfig.makeApiClient(CustomObjectsApi);
  const options = requestOptions();

  return {
    async get(resource, namespace, name) {
      const request = { ...pathOf(resource), namespace, name };
      return orNull(`read ${resource.kind} ${namespace}/${name}`, () =>
        objects.getNamespacedCustomObject(request, options()),
      );
    },

    list<T extends KubernetesObject>(resource: Resource, namespace: string | null, form: () => ListForm) {
      const page = (token: string | undefined, as: ListForm) =>
        listPage<T>(objects, resource, namespace, token, options(as === "metadata" ? { Accept: asMetadataList } : {}));
      return pages(page, form, `list ${resource.plural}`);
    },

    async patch(resource, { namespace, name }, type, body, subresource) {
      const request = { ...pathOf(resource), namespace, name, body, fieldManager };
      const asPatch = options({ "Content-Type": type });
      return named(`patch ${resource.kind} ${namespace}/${name}`, () =>
        subresource === "status"
          ? objects.patchNamespacedCustomObjectStatus(request, asPatch)
          : objects.patchNamespacedCustomObject(request, asPatch),
      );
    },

    async create(resource, namespace, body) {
      try {
        return await objects.createNamespacedCustomObject(
          { ...pathOf(resource), namespace, body, fieldManager },
          options(),
        );
      } catch (error) {
        if (isStatus(error, 409)) return null;
        throw namedError(error, `create a ${resource.kind} in ${namespace}`);
      }
    },

    async remove(resource, { namespace, name, uid }) {
      const body = { preconditions: { uid }, propagationPolicy: "Background" };
      const request = { ...pathOf(resource), namespace, name, body };
      await deleted(`delete ${resource.kind} ${namespace}/${name}`, () =>
        objects.deleteNamespacedCustomObject(request, options()),
      );
    },

    ...coreApi(kubeConfig.makeApiClient(CoreV1Api), options),
  };
}
