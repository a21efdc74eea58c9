import type { ConfigurationOptions, CustomObjectsApi } from "@kubernetes/client-node";
import { Unreachable } from "../../ports/errors.ts";
import { isStatus, toPortError, statusBody } from "./errors.ts";
import { type Identified, type ListScope, type ListPage, pathOf, type Resource } from "./objects.ts";
import { assertKubernetesObject } from "./requests.ts";
import { ResponseTooLarge } from "./response-body.ts";

const pageSize = 500;
const maxExpiries = 5;
const pagesUntilLarger = 8;

/** Of one page, decompressed. Its objects take about twice that in memory. */
export const maxPageBytes = 8 * 1024 * 1024;

export interface ObjectPage<T> {
  /** Without the objects of earlier pages. */
  readonly items: readonly T[];
  readonly scope: ListScope;
  /** Lists the same page again with full objects; empty if its continue token has expired, or if they are too large. */
  fullObjects(): Promise<readonly T[]>;
  /** Where the list continues after this page; null after the last one. */
  next(): PagePosition | null;
}

/** A place in a list, from which another process may continue it. Plain JSON. */
export interface PagePosition {
  readonly token: string;
  /** The objects before it, by uid: if the token has expired by then, they are listed again. */
  readonly yielded: readonly string[];
}

/** Requests a page of at most `limit` objects that follows a token. */
type RequestPage<T> = (token: string | undefined, scope: ListScope, limit: number) => Promise<ListPage<T>>;

/** Where a list continues after an object that is too large. Its name is reported. */
export type SkipObject = (token: string | undefined) => Promise<string>;

interface ListOptions {
  /** Names the list in messages. */
  readonly what: string;
  /** A 404 shows that something else than the API server answered. */
  readonly isAlwaysServed?: boolean;
  /** Without it, one object that is too large fails the list. */
  readonly skip?: SkipObject | undefined;
  /** Where it continues. */
  readonly from?: PagePosition | null;
}

/**
 * Yields every object once, also if a continue token expires (410) in between. `nextScope` is called before each page. A page that is
 * too large is requested again with half as many objects. Yields nothing if the kind is not served. Throws `Unreachable` if an
 * answer is no list, or its token was used before.
 */
export async function* paginate<T extends Identified>(
  page: RequestPage<T>,
  nextScope: () => ListScope,
  { what, isAlwaysServed = false, skip, from = null }: ListOptions,
): AsyncGenerator<ObjectPage<T>> {
  const yielded = new Set<string>(from?.yielded);
  const used = new Set<string>();
  let token = from?.token;
  let [expiries, limit, complete] = [0, pageSize, 0];
  while (token !== "") {
    try {
      const [at, scope, size] = [token, nextScope(), limit];
      const { items, metadata } = assertList(await page(at, scope, size), what);
      const fresh = (items ?? []).filter((item) => !yielded.has(item.metadata.uid));
      for (const item of fresh) yielded.add(item.metadata.uid);
      yield {
        items: fresh,
        scope,
        fullObjects: () => fetchFullObjects(() => page(at, "full", size), what),
        next: () => (metadata?.continue ? { token: metadata.continue, yielded: [...yielded] } : null),
      };
      token = nextToken(metadata?.continue, used, what);
      complete += 1;
      // A few large objects must not make all pages small.
      if (complete % pagesUntilLarger === 0) limit = Math.min(pageSize, limit * 2);
    } catch (error) {
      if (error instanceof ResponseTooLarge && (limit > 1 || skip !== undefined)) {
        if (limit > 1) limit = Math.floor(limit / 2);
        else token = nextToken(await skip?.(token), used, what);
        continue;
      }
      if (isStatus(error, 404) && token === undefined && !isAlwaysServed) return;
      const isExpired = isStatus(error, 410) && token !== undefined && (expiries += 1) <= maxExpiries;
      if (!isExpired) throw toPortError(error, what);
      used.clear();
      // The server may offer a token that continues at the same place in a newer snapshot; without one, list from the start.
      token = statusBody(error).metadata?.continue;
    }
  }
}

/** Returns the token of the next page, "" after the last one. One that was used before would be followed forever. */
function nextToken(token: string | undefined, used: Set<string>, what: string): string {
  const next = token ?? "";
  if (used.has(next)) throw new Unreachable(`${what}: the API server repeats a continue token`);
  if (next !== "") used.add(next);
  return next;
}

/** Returns an answer if it is a list of objects. A proxy, or an aggregated API, may answer anything. */
function assertList<T extends Identified>(answer: ListPage<T>, what: string): ListPage<T> {
  const { items, metadata } = assertKubernetesObject(answer, what);
  const invalid = (reason: string) => new Unreachable(`${what}: the response is not a list of objects: ${reason}`);
  if (items !== null && items !== undefined && !Array.isArray(items)) throw invalid("its items are no list");
  const token: unknown = metadata?.continue ?? "";
  if (typeof token !== "string") throw invalid("its continue token is no text");
  const wrong = (items ?? []).findIndex((item) => typeof (item as Partial<T> | null)?.metadata?.uid !== "string");
  if (wrong !== -1) throw invalid(`item ${wrong + 1} has no metadata with a uid`);
  return answer;
}

async function fetchFullObjects<T extends Identified>(
  page: () => Promise<ListPage<T>>,
  what: string,
): Promise<readonly T[]> {
  try {
    return assertList(await page(), what).items ?? [];
  } catch (error) {
    if (isStatus(error, 410) || error instanceof ResponseTooLarge) return [];
    throw toPortError(error, what);
  }
}

/** Returns the objects of a page by uid: between two requests objects may be created or deleted, which moves others to another page. */
export async function fullObjectsByUid<T extends Identified>(
  page: ObjectPage<T>,
  fetchesPage: boolean,
): Promise<ReadonlyMap<string, T>> {
  const fullObjects = page.scope === "full" ? page.items : fetchesPage ? await page.fullObjects() : [];
  return new Map(fullObjects.map((object) => [object.metadata.uid, object]));
}

interface PageQuery {
  readonly _continue: string | undefined;
  readonly limit?: number;
  readonly labelSelector?: string | undefined;
}

/** Lists one page; a namespace of null means all namespaces. */
export function listPage<T>(
  objects: CustomObjectsApi,
  resource: Resource,
  namespace: string | null,
  { _continue, limit = pageSize, labelSelector }: PageQuery,
  options: ConfigurationOptions,
): Promise<ListPage<T>> {
  const paging = {
    limit,
    ...(_continue === undefined ? {} : { _continue }),
    ...(labelSelector === undefined ? {} : { labelSelector }),
  };
  if (namespace !== null)
    return objects.listNamespacedCustomObject({ ...pathOf(resource), namespace, ...paging }, options);
  const { plural, ...rest } = pathOf(resource);
  return objects.listCustomObjectForAllNamespaces({ ...rest, resourcePlural: plural, ...paging }, options);
}
