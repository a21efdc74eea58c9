import type { ConfigurationOptions, CustomObjectsApi } from "@kubernetes/client-node";
import { isStatus, toPortError, statusBody } from "./errors.ts";
import { type Identified, type ListScope, type ListPage, pathOf, type Resource } from "./objects.ts";
import { assertKubernetesObject } from "./requests.ts";

export const pageSize = 500;
const maxExpiries = 5;

export interface ObjectPage<T> {
  /** Without the objects of earlier pages. */
  readonly items: readonly T[];
  readonly scope: ListScope;
  /** Lists the same page again with full objects; empty if its continue token has expired. */
  fullObjects(): Promise<readonly T[]>;
}

/**
 * Yields every object once, also if a continue token expires (410) in between. `nextScope` is called before each page.
 * Yields nothing if the kind is not served. `isAlwaysServed`: a 404 shows that something else than the API server answered.
 */
export async function* paginate<T extends Identified>(
  page: (token: string | undefined, scope: ListScope) => Promise<ListPage<T>>,
  nextScope: () => ListScope,
  what: string,
  isAlwaysServed = false,
): AsyncGenerator<ObjectPage<T>> {
  const yielded = new Set<string>();
  let token: string | undefined;
  let expiries = 0;
  while (token !== "") {
    try {
      const [at, scope] = [token, nextScope()];
      const { items, metadata } = assertKubernetesObject(await page(at, scope), what);
      const fresh = (items ?? []).filter((item) => !yielded.has(item.metadata.uid));
      for (const item of fresh) yielded.add(item.metadata.uid);
      yield { items: fresh, scope, fullObjects: () => fetchFullObjects(() => page(at, "full"), what) };
      token = metadata?.continue ?? "";
    } catch (error) {
      if (isStatus(error, 404) && token === undefined && !isAlwaysServed) return;
      const isExpired = isStatus(error, 410) && token !== undefined && (expiries += 1) <= maxExpiries;
      if (!isExpired) throw toPortError(error, what);
      // The server may offer a token that continues at the same place in a newer snapshot; without one, list from the start.
      token = statusBody(error).metadata?.continue;
    }
  }
}

async function fetchFullObjects<T>(page: () => Promise<ListPage<T>>, what: string): Promise<readonly T[]> {
  try {
    return assertKubernetesObject(await page(), what).items ?? [];
  } catch (error) {
    if (isStatus(error, 410)) return [];
    throw toPortError(error, what);
  }
}

interface PageQuery {
  readonly _continue: string | undefined;
  readonly labelSelector?: string | undefined;
}

/** Lists one page; a namespace of null means all namespaces. */
export function listPage<T>(
  objects: CustomObjectsApi,
  resource: Resource,
  namespace: string | null,
  { _continue, labelSelector }: PageQuery,
  options: ConfigurationOptions,
): Promise<ListPage<T>> {
  const paging = {
    limit: pageSize,
    ...(_continue === undefined ? {} : { _continue }),
    ...(labelSelector === undefined ? {} : { labelSelector }),
  };
  if (namespace !== null)
    return objects.listNamespacedCustomObject({ ...pathOf(resource), namespace, ...paging }, options);
  const { plural, ...rest } = pathOf(resource);
  return objects.listCustomObjectForAllNamespaces({ ...rest, resourcePlural: plural, ...paging }, options);
}
