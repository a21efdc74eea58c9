import { pages } from "../pages.ts";
import type { Identified, ListPage } from "../objects.ts";
import { answered } from "../requests.ts";

/** One page of the typed client, which has its own name for the token of the next. */
export interface TypedList {
  readonly items: readonly object[];
  readonly metadata?: { readonly _continue?: string };
}

/** Every item of a list that is asked for page by page, in no order. */
export async function* typedItems<T extends Identified>(
  list: (paging: { readonly _continue?: string }) => Promise<TypedList>,
  what: string,
): AsyncGenerator<readonly T[]> {
  const page = async (token: string | undefined): Promise<ListPage<T>> => {
    const { items, metadata } = answered(await list(token === undefined ? {} : { _continue: token }), what);
    const { _continue: next } = metadata ?? {};
    return { items: items as readonly T[], metadata: next === undefined ? {} : { continue: next } };
  };
  for await (const { items } of pages(page, () => "whole", what)) yield items;
}
