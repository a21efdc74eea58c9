import { paginate } from "../paginate.ts";
import type { Identified, ListPage } from "../objects.ts";
import { assertKubernetesObject } from "../requests.ts";

/** One page of the typed client, which renames the continue token. */
export interface TypedList {
  readonly items: readonly object[];
  readonly metadata?: { readonly _continue?: string };
}

/** Yields every page of a list, in no order. */
export async function* listTypedItems<T extends Identified>(
  list: (paging: { readonly _continue?: string }) => Promise<TypedList>,
  what: string,
): AsyncGenerator<readonly T[]> {
  const page = async (token: string | undefined): Promise<ListPage<T>> => {
    const { items, metadata } = assertKubernetesObject(
      await list(token === undefined ? {} : { _continue: token }),
      what,
    );
    const { _continue: next } = metadata ?? {};
    return { items: items as readonly T[], metadata: next === undefined ? {} : { continue: next } };
  };
  for await (const { items } of paginate(page, () => "full", what)) yield items;
}
