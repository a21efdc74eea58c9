import { paginate } from "../paginate.ts";
import type { Identified, ListPage, ListScope } from "../objects.ts";
import { assertKubernetesObject } from "../requests.ts";

/** One page of the typed client, which renames the continue token. */
export interface TypedList {
  readonly items: readonly object[];
  readonly metadata?: { readonly _continue?: string };
}

/** Yields every page of a list, in no order. */
export async function* listTypedItems<T extends Identified>(
  list: (paging: { readonly _continue?: string; readonly limit: number }) => Promise<TypedList>,
  what: string,
): AsyncGenerator<readonly T[]> {
  const page = async (token: string | undefined, _scope: ListScope, limit: number): Promise<ListPage<T>> => {
    const paging = { limit, ...(token === undefined ? {} : { _continue: token }) };
    const { items, metadata } = assertKubernetesObject(await list(paging), what);
    const { _continue: next } = metadata ?? {};
    return { items: items as readonly T[], metadata: next === undefined ? {} : { continue: next } };
  };
  for await (const { items } of paginate(page, () => "full", { what })) yield items;
}
