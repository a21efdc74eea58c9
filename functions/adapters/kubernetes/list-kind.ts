import type { Workload } from "../../domain/workload.ts";
import type { OnRefused } from "../../ports/cluster.ts";
import type { KubernetesApi } from "./api.ts";
import { isRefusal } from "./errors.ts";
import type { WorkloadKind } from "./kinds/kind.ts";
import type { KubernetesObject, ListForm } from "./objects.ts";
import type { Listed } from "./pages.ts";

const readsAtOnce = 16;

/**
 * Every workload of these kinds. A kind that may not be listed keeps no other from its turn: access that is given later than
 * Pawl learns of a kind would otherwise stop every update. Throws `Forbidden` where nothing at all may be listed.
 */
export async function* listKinds(
  kinds: readonly WorkloadKind[],
  namespaces: readonly (string | null)[],
  api: KubernetesApi,
  onRefused?: OnRefused,
): AsyncGenerator<Workload> {
  const refusals: Error[] = [];
  for (const kind of kinds) {
    yield* listKind(kind, namespaces, api, (refusal) => {
      if (onRefused === undefined) throw refusal;
      refusals.push(refusal);
    });
  }
  const [first] = refusals;
  if (first !== undefined && refusals.length === kinds.length * namespaces.length) throw first;
  for (const refusal of refusals) onRefused?.(refusal);
}

/**
 * Every workload of a kind that opted in, in these namespaces; null is all of them. A list of metadata tells who opted
 * in, and the whole object is fetched for those alone; where they are many in a page, the page is asked for whole. An older
 * version is listed only where there is no page at all, not even an empty one: both list the same objects.
 */
async function* listKind(
  kind: WorkloadKind,
  namespaces: readonly (string | null)[],
  api: KubernetesApi,
  onRefused: OnRefused,
): AsyncGenerator<Workload> {
  let isServed = false;
  for (const namespace of namespaces) {
    try {
      for await (const page of listIn(namespace, kind, api)) {
        isServed = true;
        yield* page;
      }
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // Whoever may not list it is not told whether there is such a kind.
      isServed = true;
      onRefused(error);
    }
  }
  if (!isServed && kind.older !== undefined) yield* listKind(kind.older, namespaces, api, onRefused);
}

/** A few workloads at a time; at least once where the kind is served. */
async function* listIn(namespace: string | null, kind: WorkloadKind, api: KubernetesApi): AsyncGenerator<Workload[]> {
  let form: ListForm = kind.listedAs;
  for await (const page of api.list<KubernetesObject>(kind.resource, namespace, () => form)) {
    const wanted = page.items.filter((object) => kind.isOptedIn(object));
    const areMany = wanted.length > Math.max(readsAtOnce, page.items.length / 10);
    form = areMany ? "whole" : kind.listedAs;
    const known = await wholeOf(page, areMany);
    yield [];
    for (let at = 0; at < wanted.length; at += readsAtOnce) {
      yield await readAll(wanted.slice(at, at + readsAtOnce), known, kind, api);
    }
  }
}

/** By uid: between two requests an object may have come or gone, and those at a page's end are on another one then. */
async function wholeOf(
  page: Listed<KubernetesObject>,
  areMany: boolean,
): Promise<ReadonlyMap<string, KubernetesObject>> {
  const whole = page.as === "whole" ? page.items : areMany ? await page.whole() : [];
  return new Map(whole.map((object) => [object.metadata.uid, object]));
}

async function readAll(
  listed: readonly KubernetesObject[],
  known: ReadonlyMap<string, KubernetesObject>,
  kind: WorkloadKind,
  api: KubernetesApi,
): Promise<Workload[]> {
  const read = async ({ metadata: { uid, namespace, name } }: KubernetesObject) => {
    const whole = known.get(uid) ?? (await api.get<KubernetesObject>(kind.resource, namespace, name));
    return whole === null ? [] : [await kind.read(whole, api)];
  };
  return (await Promise.all(listed.map(read))).flat();
}
