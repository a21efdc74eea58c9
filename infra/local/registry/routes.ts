import { errorResponse, type RegistryResponse } from "./reply.ts";
import type { StoredManifest, RegistryStore } from "./store.ts";

/** A parsed path of the OCI distribution API; `repository` is null for the API root. */
export type RegistryRoute =
  | { readonly kind: "api"; readonly repository: null }
  | { readonly kind: "tags"; readonly repository: string }
  | { readonly kind: "manifest"; readonly repository: string; readonly reference: string };

export function parseRegistryRoute(path: string): RegistryRoute | null {
  if (path === "/v2/" || path === "/v2") return { kind: "api", repository: null };
  const [, listed] = /^\/v2\/(.+)\/tags\/list$/.exec(path) ?? [];
  if (listed !== undefined) return { kind: "tags", repository: listed };
  const [, repository, reference] = /^\/v2\/(.+)\/manifests\/([^/]+)$/.exec(path) ?? [];
  if (repository === undefined || reference === undefined) return null;
  // The colon of a digest may be percent-encoded.
  return { kind: "manifest", repository, reference: reference.replace(/%3a/i, ":") };
}

export function handleRoute(
  route: RegistryRoute,
  query: URLSearchParams,
  store: RegistryStore,
  pageSize: number,
): RegistryResponse {
  if (route.kind === "api") return { status: 200, body: "{}" };
  const { repository } = route;
  const tags = store.tags(repository);
  if (tags === null) return errorResponse(404, "NAME_UNKNOWN", "repository name not known to registry");
  if (route.kind === "tags") return tagsPage(repository, tags, query, pageSize);
  const manifest = store.manifest(repository, route.reference);
  return manifest === null ? errorResponse(404, "MANIFEST_UNKNOWN", "manifest unknown") : manifestResponse(manifest);
}

function tagsPage(
  repository: string,
  tags: readonly string[],
  query: URLSearchParams,
  pageSize: number,
): RegistryResponse {
  const requestedSize = query.get("n") ?? String(pageSize);
  if (!/^\d+$/.test(requestedSize))
    return errorResponse(400, "PAGINATION_NUMBER_INVALID", "invalid number of results requested");
  const size = Math.min(Number(requestedSize), pageSize);
  const rest = tags.filter((tag) => tag > (query.get("last") ?? ""));
  const shown = rest.slice(0, size);
  const last = shown.at(-1);
  const body = JSON.stringify({ name: repository, tags: shown });
  if (last === undefined || shown.length === rest.length) return { status: 200, body };
  const next = `/v2/${repository}/tags/list?${new URLSearchParams({ last, n: String(size) }).toString()}`;
  return { status: 200, headers: { link: `<${next}>; rel="next"` }, body };
}

function manifestResponse({ body, mediaType, digest }: StoredManifest): RegistryResponse {
  return { status: 200, headers: { "content-type": mediaType, "docker-content-digest": digest }, body };
}
