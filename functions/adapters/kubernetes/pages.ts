import type { ConfigurationOptions, CustomObjectsApi } from "@kubernetes/client-node";
import { isStatus, namedError, statusBody } from "./errors.ts";
import { type Identified, type ListForm, type ListPage, pathOf, type Resource } from "./objects.ts";
import { answered } from "./requests.ts";

export const pageSize = 500;
const mostExpiries = 5;

export interface Listed<T> {
  /** Those that no page before had. */
  readonly items: readonly T[];
  readonly as: ListForm;
  /** The same page once more, as whole objects: as it is by now, and nothing where its token has expired since. */
  whole(): Promise<readonly T[]>;
}

/** A token that outlived its snapshot (410) costs no object, and gives none twice. `form` is asked before each page. */
export async function* pages<T extends Identified>(
  page: (token: string | undefined, as: ListForm) => Promise<ListPage<T>>,
  form: () => ListForm,
  what: string,
): AsyncGenerator<Listed<T>> {
  const given = new Set<string>();
  let token: string | undefined;
  let expiries = 0;
  while (token !== "") {
    try {
      const [at, as] = [token, form()];
      const { items, metadata } = answered(await page(at, as), what);
      const fresh = (items ?? []).filter((item) => !given.has(item.metadata.uid));
      for (const item of fresh) given.add(item.metadata.uid);
      yield { items: fresh, as, whole: () => wholePage(() => page(at, "whole"), what) };
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

async function wholePage<T>(page: () => Promise<ListPage<T>>, what: string): Promise<readonly T[]> {
  try {
    return answered(await page(), what).items ?? [];
  } catch (error) {
    if (isStatus(error, 410)) return [];
    throw namedError(error, what);
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
