import type { ConfigurationOptions, CustomObjectsApi } from "@kubernetes/client-node";
import { isStatus, namedError, statusBody } from "./errors.ts";
import { type KubernetesObject, type ListPage, pathOf, type Resource } from "./objects.ts";
import { answered } from "./requests.ts";

const pageSize = 500;
const mostExpiries = 5;

/** A token that outlived its snapshot (410) costs no object, and gives none twice. */
export async function* pages<T extends KubernetesObject>(
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

/** One page; null is every namespace. */
export function listPage<T>(
  objects: CustomObjectsApi,
  resource: Resource,
  namespace: string | null,
  token: string | undefined,
  options: ConfigurationOptions,
): Promise<ListPage<T>> {
  const paging = { limit: pageSize, ...(token === undefined ? {} : { _continue: token }) };
  if (namespace !== null)
    return objects.listNamespacedCustomObject({ ...pathOf(resource), namespace, ...paging }, options);
  const { plural, ...rest } = pathOf(resource);
  return objects.listCustomObjectForAllNamespaces({ ...rest, resourcePlural: plural, ...paging }, options);
}
