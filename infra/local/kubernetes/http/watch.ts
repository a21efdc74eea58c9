import type { ServerResponse } from "node:http";
import { badRequest, expired } from "../api-errors.ts";
import type { KubeObject } from "../objects.ts";
import { apiVersionOf, type Resource } from "../resources.ts";
import type { Api } from "../verbs/context.ts";
import type { StoredChange } from "../store/watch-cache.ts";
import { parseSelectors, type ObjectFilter } from "../store/selectors.ts";
import { represent, type Representation } from "./representation.ts";
import type { Route } from "./route.ts";

interface WatchEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";
  readonly object: unknown;
}

/**
 * Streams changes as JSON lines since the query's resourceVersion, or all existing objects first if it has none. If the
 * resourceVersion is too old, sends an ERROR event. Ends after timeoutSeconds, in real time, with a BOOKMARK if allowed.
 */
export function watch(
  api: Api,
  route: Route,
  query: URLSearchParams,
  representation: Representation,
  response: ServerResponse,
): void {
  const { resource, namespace } = route;
  const selected = parseSelectors(resource, query.get("labelSelector") ?? "", query.get("fieldSelector") ?? "");
  const matches: ObjectFilter = (object) =>
    (namespace === null || object.metadata.namespace === namespace) && selected(object);
  const send = (event: WatchEvent): void => void response.write(`${JSON.stringify(event)}\n`);
  const initial = initialChanges(api, resource, query.get("resourceVersion") ?? "");

  response.writeHead(200, { "content-type": "application/json" });
  response.flushHeaders();
  if (initial === null) return sendExpired(api, resource, query, response);
  const sendChange = (change: StoredChange): void => {
    const event = eventFor(change, matches, representation);
    if (event) send(event);
  };
  for (const change of initial) sendChange(change);
  const unsubscribe = api.store.subscribe((change) => {
    if (change.resource.group === resource.group && change.resource.plural === resource.plural) sendChange(change);
  });
  const timer = setWatchTimeout(Number(query.get("timeoutSeconds") ?? 0), () => {
    if (query.get("allowWatchBookmarks") === "true") send(bookmark(api, resource));
    response.end();
  });
  response.on("close", () => {
    unsubscribe();
    clearTimeout(timer);
  });
}

function initialChanges(api: Api, resource: Resource, from: string): readonly StoredChange[] | null {
  if (!/^\d*$/.test(from)) throw badRequest(`resourceVersion: Invalid value: "${from}"`);
  if (Number(from) > 0) return api.store.changesSince(resource, Number(from));
  const existing = api.store.list(resource, null);
  return existing.map((object) => ({ type: "ADDED", resource, object, previous: null, revision: 0 }));
}

/** Returns the event of a change: an object that starts matching the filter is ADDED, one that stops matching is DELETED. */
function eventFor(
  { type, object, previous }: StoredChange,
  matches: ObjectFilter,
  representation: Representation,
): WatchEvent | null {
  const was = previous !== null && matches(previous);
  const is = type !== "DELETED" && matches(object);
  if (!was && !is) return null;
  const seen: KubeObject = is || type === "DELETED" ? object : lastMatching(object, previous);
  return { type: was && is ? "MODIFIED" : is ? "ADDED" : "DELETED", object: represent(seen, representation) };
}

/** Returns the last version that matched the filter, with the resourceVersion of the change. */
function lastMatching(object: KubeObject, previous: KubeObject | null): KubeObject {
  const { resourceVersion } = object.metadata;
  return previous ? { ...previous, metadata: { ...previous.metadata, resourceVersion } } : object;
}

function sendExpired(api: Api, resource: Resource, query: URLSearchParams, response: ServerResponse): void {
  const requested = query.get("resourceVersion") ?? "";
  const { body } = expired(`too old resource version: ${requested} (${api.store.oldestRevision(resource)})`);
  response.end(`${JSON.stringify({ type: "ERROR", object: body } satisfies WatchEvent)}\n`);
}

function bookmark(api: Api, resource: Resource): WatchEvent {
  const metadata = { resourceVersion: api.store.revision(), creationTimestamp: null };
  return { type: "BOOKMARK", object: { kind: resource.kind, apiVersion: apiVersionOf(resource), metadata } };
}

function setWatchTimeout(seconds: number, end: () => void): NodeJS.Timeout | undefined {
  return seconds > 0 ? setTimeout(end, seconds * 1000).unref() : undefined;
}
