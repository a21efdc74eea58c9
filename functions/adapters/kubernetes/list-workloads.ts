import type { Workload } from "../../domain/workload/workload.ts";
import type { OnForbidden } from "../../ports/cluster.ts";
import type { KubernetesApi } from "./api.ts";
import { isForbidden } from "./errors.ts";
import type { WorkloadKind } from "./kinds/kind.ts";
import type { KubernetesObject, ListScope } from "./objects.ts";
import type { ObjectPage } from "./paginate.ts";

const maxConcurrentReads = 16;

/**
 * Yields every workload of these kinds. A kind that Pawl must not list does not block the others: it may be newer than the
 * cluster's RBAC. Throws `Forbidden` if Pawl must not list any kind.
 */
export async function* listWorkloads(
  kinds: readonly WorkloadKind[],
  namespaces: readonly (string | null)[],
  api: KubernetesApi,
  onForbidden?: OnForbidden,
): AsyncGenerator<Workload> {
  const denials: Error[] = [];
  for (const kind of kinds) {
    yield* listKind(kind, namespaces, api, (denial) => {
      if (onForbidden === undefined) throw denial;
      denials.push(denial);
    });
  }
  const [first] = denials;
  if (first !== undefined && denials.length === kinds.length * namespaces.length) throw first;
  for (const denial of denials) onForbidden?.(denial);
}

/**
 * Yields every workload of a kind that opted in, in these namespaces (null: all). A list of metadata shows which objects opted
 * in, and only these are fetched in full. If a page has many of them, the full page is fetched. The older version is listed only
 * if the kind is not served: both versions list the same objects.
 */
async function* listKind(
  kind: WorkloadKind,
  namespaces: readonly (string | null)[],
  api: KubernetesApi,
  onForbidden: OnForbidden,
): AsyncGenerator<Workload> {
  let isServed = false;
  for (const namespace of namespaces) {
    try {
      for await (const page of listInNamespace(namespace, kind, api)) {
        isServed = true;
        yield* page;
      }
    } catch (error) {
      if (!isForbidden(error)) throw error;
      // A denied request does not show whether the kind is served.
      isServed = true;
      onForbidden(error);
    }
  }
  if (!isServed && kind.olderVersion !== undefined) yield* listKind(kind.olderVersion, namespaces, api, onForbidden);
}

/** Yields batches of workloads; at least one, possibly empty, if the kind is served. */
async function* listInNamespace(
  namespace: string | null,
  kind: WorkloadKind,
  api: KubernetesApi,
): AsyncGenerator<Workload[]> {
  let scope: ListScope = kind.listScope;
  for await (const page of api.list<KubernetesObject>(kind.resource, namespace, () => scope)) {
    const optedIn = page.items.filter((object) => kind.isOptedIn(object));
    const fetchesPage = optedIn.length > Math.max(maxConcurrentReads, page.items.length / 10);
    scope = fetchesPage ? "full" : kind.listScope;
    const known = await fullObjectsByUid(page, fetchesPage);
    yield [];
    for (let at = 0; at < optedIn.length; at += maxConcurrentReads) {
      yield await readAll(optedIn.slice(at, at + maxConcurrentReads), known, kind, api);
    }
  }
}

/** By uid: between two requests objects may be created or deleted, which moves others to another page. */
async function fullObjectsByUid(
  page: ObjectPage<KubernetesObject>,
  fetchesPage: boolean,
): Promise<ReadonlyMap<string, KubernetesObject>> {
  const fullObjects = page.scope === "full" ? page.items : fetchesPage ? await page.fullObjects() : [];
  return new Map(fullObjects.map((object) => [object.metadata.uid, object]));
}

async function readAll(
  listed: readonly KubernetesObject[],
  known: ReadonlyMap<string, KubernetesObject>,
  kind: WorkloadKind,
  api: KubernetesApi,
): Promise<Workload[]> {
  const read = async ({ metadata: { uid, namespace, name } }: KubernetesObject) => {
    const fullObject = known.get(uid) ?? (await api.get<KubernetesObject>(kind.resource, namespace, name));
    return fullObject === null ? [] : [await kind.read(fullObject, api)];
  };
  return (await Promise.all(listed.map(read))).flat();
}
