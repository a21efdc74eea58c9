import type { Workload } from "../../domain/workload/workload.ts";
import type { ListSteps, OnSkipped } from "../../ports/cluster.ts";
import type { KubernetesApi } from "./api.ts";
import { type AutoUpdate, autoUpdateKey } from "./auto-update/object.ts";
import { crdMissing, nameTakenReason, withoutRecord } from "./auto-update/unrecordable.ts";
import { isFailedRequest, NotInstalled } from "./errors.ts";
import { listKey, listUnused } from "./list-unused.ts";
import { ownersOfLeftCanaries } from "./left-canaries.ts";
import { isolateObject } from "./isolate-object.ts";
import { firstNamespace, ListInterrupted, nextNamespace, stopAfter } from "./list-position.ts";
import { assertAnswered, linesOf, type ListState, openListState } from "./list-state.ts";
import type { WorkloadKind } from "./kinds/kind.ts";
import { apiVersionOf, type KubernetesObject, type ListScope } from "./objects.ts";
import { fullObjectsByUid } from "./paginate.ts";

const maxConcurrentReads = 16;

/** What every list of one kind needs. */
interface Listing extends ListState {
  readonly namespaces: readonly (string | null)[];
  readonly labelSelector: string | undefined;
  readonly api: KubernetesApi;
  readonly steps: ListSteps | undefined;
  /** Called for each object that cannot be parsed. */
  readonly onInvalid: OnSkipped;
  /** Called for each object of which a request failed. */
  readonly onUnread: OnSkipped;
}

interface ListOptions {
  readonly labelSelector?: string | undefined;
  readonly steps?: ListSteps | undefined;
}

/** An object that opted in, and its AutoUpdate. */
interface OptedIn {
  readonly object: KubernetesObject;
  readonly autoUpdate: AutoUpdate | null;
}

/**
 * Yields every workload of these kinds, joined to its AutoUpdate. A kind that cannot be listed does not block the others: it may be
 * newer than the cluster's RBAC, or its conversion webhook fails. Nor does an object of which a request fails. A missing CRD is reported
 * once. Throws the first error if no kind can be listed, or no object be read, and if nothing answers the rest of a list that continues. A label selector is for the workloads, so with one no
 * AutoUpdate without a workload is yielded. With `steps`, what was denied or not read is reported when it stops.
 */
export async function* listWorkloads(
  kinds: readonly WorkloadKind[],
  unused: WorkloadKind,
  namespaces: readonly (string | null)[],
  api: KubernetesApi,
  onSkipped?: OnSkipped,
  { labelSelector, steps }: ListOptions = {},
): AsyncGenerator<Workload> {
  const denials: Error[] = [];
  const unread: Error[] = [];
  const keepIn = (found: Error[]) => (failure: Error) => {
    if (onSkipped === undefined) throw failure;
    found.push(failure);
  };
  const onDenial = keepIn(denials);
  const onInvalid = (invalid: Error) => {
    if (onSkipped === undefined) throw invalid;
    onSkipped(invalid);
  };
  const targets = kinds.filter(({ usesAutoUpdate }) => usesAutoUpdate).map((kind) => kind.resource);
  const state = await openListState(namespaces, api, steps?.from ?? null);
  const { position, autoUpdates } = state;
  const listing = Object.assign(state, { namespaces, labelSelector, api, steps, onInvalid, onUnread: keepIn(unread) });
  try {
    if (position.kind < 0) {
      await autoUpdates.list(targets, position, steps);
      for (const denial of autoUpdates.denied.values()) onDenial(denial);
      Object.assign(position, { kind: 0, ...firstNamespace() });
    }
    for (; position.kind < kinds.length; Object.assign(position, firstNamespace(), { kind: position.kind + 1 })) {
      const kind = kinds[position.kind] as WorkloadKind;
      for await (const workload of listKind(position.isOlder ? kind.olderVersion : kind, listing, onDenial)) {
        state.isUnrecorded ||= kind.usesAutoUpdate && !autoUpdates.isServed;
        state.isAnyRead = true;
        yield workload;
      }
    }
    if (labelSelector === undefined) yield* listUnused(unused, listing, onSkipped);
  } catch (error) {
    if (!(error instanceof ListInterrupted)) throw error;
    state.deniedLists += denials.length;
    for (const failure of [...denials, ...unread]) onSkipped?.(failure);
    steps?.onInterrupted(linesOf(state));
    return;
  }
  if (state.isUnrecorded) onSkipped?.(new NotInstalled(crdMissing));
  const [first] = denials;
  // Without its AutoUpdates a kind is not listed either.
  const skipped = autoUpdates.denied.size * targets.length;
  const deniedLists = state.deniedLists + denials.length - autoUpdates.denied.size + skipped;
  if (first !== undefined && deniedLists >= kinds.length * namespaces.length) throw first;
  assertAnswered(state, steps, denials);
  if (unread[0] !== undefined && !state.isAnyRead) throw unread[0];
  for (const failure of [...denials, ...unread]) onSkipped?.(failure);
}

/**
 * Yields every workload of a kind that opted in, in these namespaces (null: all). A list of metadata shows which objects opted
 * in, and only these are fetched in full. If a page has many of them, the full page is fetched. The older version is listed only
 * if the kind is not served: both versions list the same objects.
 */
async function* listKind(
  kind: WorkloadKind | undefined,
  listing: Listing,
  onDenial: OnSkipped,
): AsyncGenerator<Workload> {
  if (kind === undefined) return;
  const { position, namespaces, steps } = listing;
  for (; position.namespace < namespaces.length; nextNamespace(position, steps)) {
    const namespace = namespaces[position.namespace] as string | null;
    if (kind.usesAutoUpdate && listing.autoUpdates.denied.has(namespace)) continue;
    try {
      for await (const page of listInNamespace(namespace, kind, listing)) {
        position.isServed = true;
        listing.isAnswered = true;
        yield* page;
      }
    } catch (error) {
      if (!isFailedRequest(error)) throw error;
      // A failed request does not show whether the kind is served.
      position.isServed = true;
      listing.denied.add(listKey(kind.resource.kind, namespace));
      onDenial(error as Error);
    }
  }
  if (position.isServed || kind.olderVersion === undefined) return;
  Object.assign(position, firstNamespace(), { isOlder: true });
  yield* listKind(kind.olderVersion, listing, onDenial);
}

/** Yields batches of workloads; at least one, possibly empty, if the kind is served. */
async function* listInNamespace(
  namespace: string | null,
  kind: WorkloadKind,
  listing: Listing,
): AsyncGenerator<Workload[]> {
  let scope: ListScope = kind.listScope;
  const { api, labelSelector, onInvalid, position, steps } = listing;
  const listed = new Set(position.listed);
  const { resource } = kind;
  const pages = api.list<KubernetesObject>(resource, namespace, () => scope, labelSelector, onInvalid, position.page);
  for await (const page of pages) {
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
    const left = owners.map((object) => ({ object, autoUpdate: null }));
    yield await readAll(left, known, kind, listing);
    stopAfter(page, position, steps, listed);
  }
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
