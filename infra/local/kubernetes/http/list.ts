import { badRequest } from "../api-errors.ts";
import type { Api } from "../verbs/context.ts";
import { parseSelectors } from "../store/selectors.ts";
import type { Page, Pages } from "../store/paging.ts";
import { representList, type Representation } from "./representation.ts";
import type { Route } from "./route.ts";

/** Returns one page of a list. Throws 400 for an invalid query and 410 for an expired token. */
export function listPage(
  api: Api,
  pages: Pages,
  route: Route,
  query: URLSearchParams,
  representation: Representation,
): unknown {
  const isSelection = query.get("labelSelector") !== null || query.get("fieldSelector") !== null;
  return representList(route.resource, page(api, pages, route, query), isSelection, representation);
}

function page(api: Api, pages: Pages, { resource, namespace }: Route, query: URLSearchParams): Page {
  const token = query.get("continue") ?? "";
  const limit = Number(query.get("limit") ?? 0);
  if (!Number.isInteger(limit) || limit < 0) throw badRequest(`limit: "${query.get("limit") ?? ""}" is not a number`);
  if (token === "") {
    const selected = parseSelectors(resource, query.get("labelSelector") ?? "", query.get("fieldSelector") ?? "");
    return pages.first(api.store.list(resource, namespace).filter(selected), api.store.revision(), limit);
  }
  const revision = query.get("resourceVersion") ?? "";
  if (revision === "" || revision === "0") return pages.next(token, limit);
  throw badRequest("specifying resource version is not allowed when using continue");
}
