import { badRequest } from "../failure.ts";
import type { Api } from "../rules/api.ts";
import { selection } from "../store/selectors.ts";
import type { Page, Pages } from "../store/paging.ts";
import { representList, type Shape } from "./representation.ts";
import type { Route } from "./route.ts";

/** One page of a listing. Throws 400 for a query that cannot be read and 410 for a token that is no longer known. */
export function list(api: Api, pages: Pages, route: Route, query: URLSearchParams, shape: Shape): unknown {
  const isSelection = query.get("labelSelector") !== null || query.get("fieldSelector") !== null;
  return representList(route.resource, page(api, pages, route, query), isSelection, shape);
}

function page(api: Api, pages: Pages, { resource, namespace }: Route, query: URLSearchParams): Page {
  const token = query.get("continue") ?? "";
  const limit = Number(query.get("limit") ?? 0);
  if (!Number.isInteger(limit) || limit < 0) throw badRequest(`limit: "${query.get("limit") ?? ""}" is not a number`);
  if (token === "") {
    const selected = selection(resource, query.get("labelSelector") ?? "", query.get("fieldSelector") ?? "");
    return pages.first(api.store.list(resource, namespace).filter(selected), api.store.revision(), limit);
  }
  const revision = query.get("resourceVersion") ?? "";
  if (revision === "" || revision === "0") return pages.next(token, limit);
  throw badRequest("specifying resource version is not allowed when using continue");
}
