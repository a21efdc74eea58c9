import type { Workload } from "../../domain/workload/workload.ts";
import type { OnForbidden } from "../../ports/cluster.ts";
import type { KubernetesApi } from "./api.ts";
import { type AutoUpdates, listAutoUpdates } from "./auto-update/list.ts";
import { type AutoUpdate, targetKey } from "./auto-update/object.ts";
import { isForbidden } from "./errors.ts";
import type { WorkloadKind } from "./kinds/kind.ts";
import { apiVersionOf, type KubernetesObject, type ListScope } from "./objects.ts";
import type { ObjectPage } from "./paginate.ts";

const maxConcurrentReads = 16;

/** What every list of one kind needs. */
interface Listing {
  readonly namespaces: readonly (string | null)[];
  readonly api: KubernetesApi;
  readonly autoUpdates: AutoUpdates;
  /** Targets of AutoUpdates that exist. */
  readonly found: Set<string>;
}

/**
 * Yields every workload of these kinds, joined to its AutoUpdate. A kind that Pawl must not list does not block the others: it may
 * be newer than the cluster's RBAC. Throws `Forbidden` if Pawl must not list any kind.
 */
export async function* listWorkloads(
  kinds: readonly WorkloadKind[],
  unused: WorkloadKind,
  namespaces: readonly (string | null)[],
  api: KubernetesApi,
  onForbidden?: OnForbidden,
): AsyncGenerator<Workload> {
  const denials: Error[] = [];
  const onDenial = (denial: Error) => {
    if (onForbidden === undefined) throw denial;
    denials.push(denial);
  };
  const autoUpdates = await listAutoUpdates(namespaces, api);
  for (const denial of autoUpdates.denied.values()) onDenial(denial);
  const listing = { namespaces, api, autoUpdates, found: new Set<string>() };
  for (const kind of kinds) yield* listKind(kind, listing, onDenial);
  yield* listUnused(unused, listing);
  const [first] = denials;
  // Without its AutoUpdates a kind is not listed either.
  const skipped = autoUpdates.denied.size * kinds.filter(({ usesAutoUpdate }) => usesAutoUpdate).length;
  const deniedLists = denials.length - autoUpdates.denied.size + skipped;
  if (first !== undefined && deniedLists >= kinds.length * namespaces.length) throw first;
  for (const denial of denials) onForbidden?.(denial);
}

/**
 * Yields every workload of a kind that opted in, in these namespaces (null: all). A list of metadata shows which objects opted
 * in, and only these are fetched in full. If a page has many of them, the full page is fetched. The older version is listed only
 * if the kind is not served: both versions list the same objects.
 */
async function* listKind(kind: WorkloadKind, listing: Listing, onDenial: OnForbidden): AsyncGenerator<Workload> {
  let isServed = false;
  for (const namespace of listing.namespaces) {
    if (kind.usesAutoUpdate && listing.autoUpdates.denied.has(namespace)) continue;
    try {
      for await (const page of listInNamespace(namespace, kind, listing)) {
        isServed = true;
        yield* page;
      }
    } catch (error) {
      if (!isForbidden(error)) throw error;
      // A denied request does not show whether the kind is served.
      isServed = true;
      onDenial(error);
    }
  }
  if (!isServed && kind.olderVersion !== undefined) yield* listKind(kind.olderVersion, listing, onDenial);
}

/** Yields batches of workloads; at least one, possibly empty, if the kind is served. */
async function* listInNamespace(
  namespace: string | null,
  kind: WorkloadKind,
  listing: Listing,
): AsyncGenerator<Workload[]> {
  let scope: ListScope = kind.listScope;
  for await (const page of listing.api.list<KubernetesObject>(kind.resource, namespace, () => scope)) {
    const optedIn = page.items.filter(
      (object) => kind.isOptedIn(object) || autoUpdateOf(object, kind, listing) !== null,
    );
    const fetchesPage = optedIn.length > Math.max(maxConcurrentReads, page.items.length / 10);
    scope = fetchesPage ? "full" : kind.listScope;
    const known = await fullObjectsByUid(page, fetchesPage);
    yield [];
    for (let at = 0; at < optedIn.length; at += maxConcurrentReads) {
      yield await readAll(optedIn.slice(at, at + maxConcurrentReads), known, kind, listing);
    }
  }
}

/** Returns the AutoUpdate of an object, and notes that its target exists. */
function autoUpdateOf({ metadata }: KubernetesObject, kind: WorkloadKind, listing: Listing): AutoUpdate | null {
  if (!kind.usesAutoUpdate) return null;
  const { namespace, name } = metadata;
  const key = targetKey(namespace, { apiVersion: apiVersionOf(kind.resource), kind: kind.resource.kind, name });
  const autoUpdate = listing.autoUpdates.byTarget.get(key) ?? null;
  if (autoUpdate !== null) listing.found.add(key);
  return autoUpdate;
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
  listing: Listing,
): Promise<Workload[]> {
  const { api, autoUpdates } = listing;
  const read = async (found: KubernetesObject) => {
    const { uid, namespace, name } = found.metadata;
    const fullObject = known.get(uid) ?? (await api.get<KubernetesObject>(kind.resource, namespace, name));
    if (fullObject === null) return [];
    const workload = await kind.read(fullObject, api, autoUpdateOf(found, kind, listing));
    return [kind.usesAutoUpdate && !autoUpdates.isServed ? withoutRecord(workload) : workload];
  };
  return (await Promise.all(listed.map(read))).flat();
}

/** The problem of every workload in a cluster without the CRD. */
export const crdMissing =
  "the CustomResourceDefinition autoupdates.pawl.dev is not installed, so no update can be recorded; " +
  "run kubectl apply -k infra/cluster/crds";

function withoutRecord(workload: Workload): Workload {
  return { ...workload, problems: [crdMissing], record: { ...workload.record, state: "unavailable" } };
}

/** Yields the AutoUpdates that update nothing. Skips those whose target must not be read. */
async function* listUnused(unused: WorkloadKind, { api, autoUpdates, found }: Listing): AsyncGenerator<Workload> {
  const unmatched = [...autoUpdates.byTarget].filter(([key]) => !found.has(key)).map(([, autoUpdate]) => autoUpdate);
  for (const autoUpdate of [...autoUpdates.misnamed, ...unmatched]) {
    try {
      const workload = await unused.read(autoUpdate, api, null);
      if (workload.problems.length > 0) yield workload;
    } catch (error) {
      if (!isForbidden(error)) throw error;
    }
  }
}
