import type { Workload } from "../../domain/workload/workload.ts";
import type { OnSkipped } from "../../ports/cluster.ts";
import type { KubernetesApi } from "./api.ts";
import { type AutoUpdates, listAutoUpdates } from "./auto-update/list.ts";
import { type AutoUpdate, autoUpdateKey } from "./auto-update/object.ts";
import { crdMissing, nameTakenReason, withoutRecord } from "./auto-update/unrecordable.ts";
import { isFailedRequest, NotInstalled } from "./errors.ts";
import { listKey, listUnused } from "./list-unused.ts";
import { ownersOfLeftCanaries } from "./left-canaries.ts";
import { isolateObject } from "./isolate-object.ts";
import type { WorkloadKind } from "./kinds/kind.ts";
import { apiVersionOf, type KubernetesObject, type ListScope } from "./objects.ts";
import type { ObjectPage } from "./paginate.ts";

const maxConcurrentReads = 16;

/** What every list of one kind needs. */
interface Listing {
  readonly namespaces: readonly (string | null)[];
  readonly labelSelector: string | undefined;
  readonly api: KubernetesApi;
  readonly autoUpdates: AutoUpdates;
  /** The lists that were denied or failed, by `listKey`. */
  readonly denied: Set<string>;
  /** Called for each object that cannot be parsed. */
  readonly onInvalid: OnSkipped;
  /** Called for each object of which a request failed. */
  readonly onUnread: OnSkipped;
}

/** An object that opted in, and its AutoUpdate. */
interface OptedIn {
  readonly object: KubernetesObject;
  readonly autoUpdate: AutoUpdate | null;
}

/**
 * Yields every workload of these kinds, joined to its AutoUpdate. A kind that cannot be listed does not block the others: it may be
 * newer than the cluster's RBAC, or its conversion webhook fails. Nor does an object of which a request fails. A missing CRD is reported
 * once. Throws the first error if no kind can be listed, or no object be read. A label selector is for the workloads, so with one no
 * AutoUpdate without a workload is yielded.
 */
export async function* listWorkloads(
  kinds: readonly WorkloadKind[],
  unused: WorkloadKind,
  namespaces: readonly (string | null)[],
  api: KubernetesApi,
  onSkipped?: OnSkipped,
  labelSelector?: string,
): AsyncGenerator<Workload> {
  const denials: Error[] = [];
  const onDenial = (denial: Error) => {
    if (onSkipped === undefined) throw denial;
    denials.push(denial);
  };
  const targets = kinds.filter(({ usesAutoUpdate }) => usesAutoUpdate).map((kind) => kind.resource);
  const autoUpdates = await listAutoUpdates(namespaces, targets, api);
  for (const denial of autoUpdates.denied.values()) onDenial(denial);
  const onInvalid = (invalid: Error) => {
    if (onSkipped === undefined) throw invalid;
    onSkipped(invalid);
  };
  const unread: Error[] = [];
  const onUnread = (failure: Error) => {
    if (onSkipped === undefined) throw failure;
    unread.push(failure);
  };
  const listing = { namespaces, labelSelector, api, autoUpdates, denied: new Set<string>(), onInvalid, onUnread };
  let [isRecorded, isAnyRead] = [true, false];
  for (const kind of kinds) {
    for await (const workload of listKind(kind, listing, onDenial)) {
      isRecorded &&= !kind.usesAutoUpdate || autoUpdates.isServed;
      isAnyRead = true;
      yield workload;
    }
  }
  if (!isRecorded) onSkipped?.(new NotInstalled(crdMissing));
  if (labelSelector === undefined) yield* listUnused(unused, listing, onSkipped);
  const [first] = denials;
  // Without its AutoUpdates a kind is not listed either.
  const skipped = autoUpdates.denied.size * targets.length;
  const deniedLists = denials.length - autoUpdates.denied.size + skipped;
  if (first !== undefined && deniedLists >= kinds.length * namespaces.length) throw first;
  if (unread[0] !== undefined && !isAnyRead) throw unread[0];
  for (const failure of [...denials, ...unread]) onSkipped?.(failure);
}

/**
 * Yields every workload of a kind that opted in, in these namespaces (null: all). A list of metadata shows which objects opted
 * in, and only these are fetched in full. If a page has many of them, the full page is fetched. The older version is listed only
 * if the kind is not served: both versions list the same objects.
 */
async function* listKind(kind: WorkloadKind, listing: Listing, onDenial: OnSkipped): AsyncGenerator<Workload> {
  let isServed = false;
  for (const namespace of listing.namespaces) {
    if (kind.usesAutoUpdate && listing.autoUpdates.denied.has(namespace)) continue;
    try {
      for await (const page of listInNamespace(namespace, kind, listing)) {
        isServed = true;
        yield* page;
      }
    } catch (error) {
      if (!isFailedRequest(error)) throw error;
      // A failed request does not show whether the kind is served.
      isServed = true;
      listing.denied.add(listKey(kind.resource.kind, namespace));
      onDenial(error as Error);
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
  const listed = new Set<string>();
  const { api, labelSelector, onInvalid } = listing;
  const nextScope = () => scope;
  for await (const page of api.list<KubernetesObject>(kind.resource, namespace, nextScope, labelSelector, onInvalid)) {
    const optedIn = page.items
      .map((object): OptedIn => ({ object, autoUpdate: takeAutoUpdate(object, kind, listing) }))
      .filter(({ object, autoUpdate }) => autoUpdate !== null || kind.isOptedIn(object));
    const fetchesPage = optedIn.length > Math.max(maxConcurrentReads, page.items.length / 10);
    scope = fetchesPage ? "full" : kind.listScope;
    const known = await fullObjectsByUid(page, fetchesPage);
    yield [];
    for (let at = 0; at < optedIn.length; at += maxConcurrentReads) {
      yield await readAll(optedIn.slice(at, at + maxConcurrentReads), known, kind, listing);
    }
    for (const { object } of optedIn) listed.add(object.metadata.uid);
    const owners = await ownersOfLeftCanaries(page.items, listed, kind, listing.api);
    yield await readAll(owners.map(withoutAutoUpdate), known, kind, listing);
  }
}

function withoutAutoUpdate(object: KubernetesObject): OptedIn {
  return { object, autoUpdate: null };
}

/** Takes the AutoUpdate of an object from those that have no target yet. */
function takeAutoUpdate(
  { metadata }: KubernetesObject,
  kind: WorkloadKind,
  { autoUpdates }: Listing,
): AutoUpdate | null {
  if (!kind.usesAutoUpdate) return null;
  const { namespace, name } = metadata;
  const targetRef = { apiVersion: apiVersionOf(kind.resource), kind: kind.resource.kind, name };
  return autoUpdates.take(autoUpdateKey(namespace, targetRef));
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
  listed: readonly OptedIn[],
  known: ReadonlyMap<string, KubernetesObject>,
  kind: WorkloadKind,
  listing: Listing,
): Promise<Workload[]> {
  const { api, autoUpdates } = listing;
  const read = async ({ object, autoUpdate }: OptedIn): Promise<Workload[]> => {
    const { uid, namespace, name } = object.metadata;
    const fullObject = known.get(uid) ?? (await api.get<KubernetesObject>(kind.resource, namespace, name));
    if (fullObject === null) return [];
    const workload = await kind.read(fullObject, api, autoUpdate);
    if (!kind.usesAutoUpdate) return [workload];
    if (!autoUpdates.isServed) return [withoutRecord(workload, crdMissing)];
    const isTaken = autoUpdate === null && autoUpdates.isNameTaken(object, kind.resource);
    return [isTaken ? withoutRecord(workload, nameTakenReason(object, kind.resource)) : workload];
  };
  const isolated = (one: OptedIn) => isolateObject(one.object.metadata, kind.resource, listing, () => read(one));
  return (await Promise.all(listed.map(isolated))).flat();
}
