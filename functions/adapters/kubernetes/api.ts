import {
  type ConfigurationOptions,
  type CoreV1Event,
  CoreV1Api,
  CustomObjectsApi,
  type KubeConfig,
  Observable,
  type RequestContext,
  type ResponseContext,
} from "@kubernetes/client-node";
import { Unreachable } from "../errors.ts";
import { isStatus, namedError, statusBody } from "./errors.ts";
import type { Pod } from "./stuck-pods.ts";
import type { KubernetesObject, ListPage, ObjectMeta, Resource } from "./objects.ts";

export type PatchType = "application/merge-patch+json" | "application/strategic-merge-patch+json";

const pageSize = 500;
const mostExpiries = 5;
const requestTimeoutMs = 15_000;
const asMetadataList = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
const fieldManager = "pawl";

/** The few requests that Pawl makes, for any kind alike, with errors under the names that the machine retries on. */
export interface KubernetesApi {
  /** null where there is no such object, or no such kind. */
  get<T extends KubernetesObject>(resource: Resource, namespace: string, name: string): Promise<T | null>;
  /** Every object, in pages of 500; nothing where the cluster has no such kind. */
  list<T extends KubernetesObject>(
    resource: Resource,
    namespace: string | null,
    as: "metadata" | "whole",
  ): AsyncGenerator<T>;
  /** Returns the object as patched. Throws `Conflict` where the patch's resourceVersion is no longer the object's. */
  patch<T>(resource: Resource, target: ObjectMeta, type: PatchType, body: object, subresource?: "status"): Promise<T>;
  listPods(namespace: string, labels: Readonly<Record<string, string>>): Promise<readonly Pod[]>;
  /** Only the pod of this uid: one that has taken its name since stays. Gone already is as good. */
  deletePod(namespace: string, name: string, uid: string): Promise<void>;
  /** Writes the Event once: an Event of its name that exists already is as good. */
  createEvent(namespace: string, event: CoreV1Event): Promise<void>;
}

export function kubernetesApi(kubeConfig: KubeConfig): KubernetesApi {
  const objects = kubeConfig.makeApiClient(CustomObjectsApi);
  const core = kubeConfig.makeApiClient(CoreV1Api);
  const options = requestOptions();

  return {
    async get(resource, namespace, name) {
      const request = { ...address(resource), namespace, name };
      return orNull(`read ${resource.kind} ${namespace}/${name}`, () =>
        objects.getNamespacedCustomObject(request, options()),
      );
    },

    async *list<T extends KubernetesObject>(resource: Resource, namespace: string | null, as: "metadata" | "whole") {
      const page = (token: string | undefined) =>
        listPage<T>(objects, resource, namespace, token, options(as === "metadata" ? { Accept: asMetadataList } : {}));
      yield* pages(page, `list ${resource.plural}`);
    },

    async patch(resource, { namespace, name }, type, body, subresource) {
      const request = { ...address(resource), namespace, name, body, fieldManager };
      const asPatch = options({ "Content-Type": type });
      return named(`patch ${resource.kind} ${namespace}/${name}`, () =>
        subresource === "status"
          ? objects.patchNamespacedCustomObjectStatus(request, asPatch)
          : objects.patchNamespacedCustomObject(request, asPatch),
      );
    },

    async listPods(namespace, labels) {
      const labelSelector = Object.entries(labels)
        .map(([label, value]) => `${label}=${value}`)
        .join(",");
      const { items } = await named(`list pods of ${namespace}`, () =>
        core.listNamespacedPod({ namespace, labelSelector }, options()),
      );
      return items as readonly Pod[];
    },

    async deletePod(namespace, name, uid) {
      try {
        await core.deleteNamespacedPod({ namespace, name, body: { preconditions: { uid } } }, options());
      } catch (error) {
        if (!isStatus(error, 404) && !isStatus(error, 409)) throw namedError(error, `delete pod ${namespace}/${name}`);
      }
    },

    async createEvent(namespace, event) {
      const what = `write an Event in ${namespace}`;
      try {
        answered(await core.createNamespacedEvent({ namespace, body: event, fieldManager }, options()), what);
      } catch (error) {
        if (!isStatus(error, 409)) throw namedError(error, what);
      }
    },
  };
}

/** A token that outlived its snapshot (410) costs no object, and gives none twice. */
async function* pages<T extends KubernetesObject>(
  page: (token?: string) => Promise<ListPage<T>>,
  what: string,
): AsyncGenerator<T> {
  const given = new Set<string>();
  let token: string | undefined;
  let expiries = 0;
  while (token !== "") {
    try {
      const { items, metadata } = answered(await page(token), what);
      for (const item of items ?? []) if (!given.has(item.metadata.uid)) yield item;
      for (const item of items ?? []) given.add(item.metadata.uid);
      token = metadata?.continue ?? "";
    } catch (error) {
      if (isStatus(error, 404) && token === undefined) return;
      const isExpired = isStatus(error, 410) && token !== undefined && (expiries += 1) <= mostExpiries;
      if (!isExpired) throw namedError(error, what);
      // The server may offer a token that goes on at the same place in a newer state; without one the list begins anew.
      token = statusBody(error).metadata?.continue;
    }
  }
}

function listPage<T>(
  objects: CustomObjectsApi,
  resource: Resource,
  namespace: string | null,
  token: string | undefined,
  options: ConfigurationOptions,
): Promise<ListPage<T>> {
  const paging = { limit: pageSize, ...(token === undefined ? {} : { _continue: token }) };
  if (namespace !== null)
    return objects.listNamespacedCustomObject({ ...address(resource), namespace, ...paging }, options);
  const { plural, ...rest } = address(resource);
  return objects.listCustomObjectForAllNamespaces({ ...rest, resourcePlural: plural, ...paging }, options);
}

/**
 * Headers for one request, on one connection pool for all of them: as it comes, the client opens a new TLS connection
 * for every request. The first request's dispatcher, which carries the cluster's CA and certificates, serves the rest.
 */
function requestOptions() {
  let shared: ReturnType<RequestContext["getDispatcher"]>;
  return (headers: Readonly<Record<string, string>> = {}): ConfigurationOptions => ({
    middlewareMergeStrategy: "append",
    middleware: [
      {
        pre(context: RequestContext) {
          for (const [name, value] of Object.entries(headers)) context.setHeaderParam(name, value);
          shared ??= context.getDispatcher();
          if (shared !== undefined) context.setDispatcher(shared);
          context.setSignal(AbortSignal.timeout(requestTimeoutMs));
          return observed(context);
        },
        post: (context: ResponseContext) => observed(context),
      },
    ],
  });
}

async function orNull<T>(what: string, request: () => Promise<T>): Promise<T | null> {
  try {
    return answered(await request(), what);
  } catch (error) {
    if (isStatus(error, 404)) return null;
    throw namedError(error, what);
  }
}

async function named<T>(what: string, request: () => Promise<T>): Promise<T> {
  try {
    return answered(await request(), what);
  } catch (error) {
    throw namedError(error, what);
  }
}

/** A text in the place of an object, or nothing, is what some proxy says and not the cluster. */
function answered<T>(answer: T, what: string): T {
  if (typeof answer === "object" && answer !== null && "metadata" in answer && answer.metadata) return answer;
  throw new Unreachable(`${what}: the answer is not an API server's`);
}

function address({ group, version, plural }: Resource) {
  return { group, version, plural };
}

function observed<T>(value: T): Observable<T> {
  return new Observable(Promise.resolve(value));
}
