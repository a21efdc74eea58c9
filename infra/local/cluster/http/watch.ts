import type { ServerResponse } from "node:http";
import { badRequest, expired } from "../failure.ts";
import type { KubeObject } from "../objects.ts";
import { apiVersionOf, type Resource } from "../resources.ts";
import type { Api } from "../rules/api.ts";
import type { Change } from "../store/change-log.ts";
import { selection, type Selection } from "../store/selectors.ts";
import { represent, type Shape } from "./representation.ts";
import type { Route } from "./route.ts";

interface WatchEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";
  readonly object: unknown;
}

/**
 * Streams changes as JSON lines from the resourceVersion that the query gives, or from all that exists where it gives none.
 * One too old is answered with an ERROR event, not with a status. Ends after timeoutSeconds, which are real ones, with
 * a BOOKMARK where the query allows it.
 */
export function watch(api: Api, route: Route, query: URLSearchParams, shape: Shape, response: ServerResponse): void {
  const { resource, namespace } = route;
  const selected = selection(resource, query.get("labelSelector") ?? "", query.get("fieldSelector") ?? "");
  const matches: Selection = (object) =>
    (namespace === null || object.metadata.namespace === namespace) && selected(object);
  const send = (event: WatchEvent): void => void response.write(`${JSON.stringify(event)}\n`);
  const backlog = backlogOf(api, resource, query.get("resourceVersion") ?? "");

  response.writeHead(200, { "content-type": "application/json" });
  response.flushHeaders();
  if (backlog === null) return refuseAsTooOld(api, resource, query, response);
  const tell = (change: Change): void => {
    const event = eventFor(change, matches, shape);
    if (event) send(event);
  };
  for (const change of backlog) tell(change);
  const unsubscribe = api.store.subscribe((change) => {
    if (change.resource.group === resource.group && change.resource.plural === resource.plural) tell(change);
  });
  const timer = endAfter(Number(query.get("timeoutSeconds") ?? 0), () => {
    if (query.get("allowWatchBookmarks") === "true") send(bookmark(api, resource));
    response.end();
  });
  response.on("close", () => {
    unsubscribe();
    clearTimeout(timer);
  });
}

function backlogOf(api: Api, resource: Resource, from: string): readonly Change[] | null {
  if (!/^\d*$/.test(from)) throw badRequest(`resourceVersion: Invalid value: "${from}"`);
  if (Number(from) > 0) return api.store.changesSince(resource, Number(from));
  const existing = api.store.list(resource, null);
  return existing.map((object) => ({ type: "ADDED", resource, object, previous: null, revision: 0 }));
}

/** An object that enters the selection is added to it, and one that leaves it is deleted from it, as its reader sees it. */
function eventFor({ type, object, previous }: Change, matches: Selection, shape: Shape): WatchEvent | null {
  const was = previous !== null && matches(previous);
  const is = type !== "DELETED" && matches(object);
  if (!was && !is) return null;
  const seen: KubeObject = is || type === "DELETED" ? object : leaving(object, previous);
  return { type: was && is ? "MODIFIED" : is ? "ADDED" : "DELETED", object: represent(seen, shape) };
}

/** As it was when it was last selected, at the revision at which it left. */
function leaving(object: KubeObject, previous: KubeObject | null): KubeObject {
  const { resourceVersion } = object.metadata;
  return previous ? { ...previous, metadata: { ...previous.metadata, resourceVersion } } : object;
}

function refuseAsTooOld(api: Api, resource: Resource, query: URLSearchParams, response: ServerResponse): void {
  const asked = query.get("resourceVersion") ?? "";
  const { body } = expired(`too old resource version: ${asked} (${api.store.startOf(resource)})`);
  response.end(`${JSON.stringify({ type: "ERROR", object: body } satisfies WatchEvent)}\n`);
}

function bookmark(api: Api, resource: Resource): WatchEvent {
  const metadata = { resourceVersion: api.store.revision(), creationTimestamp: null };
  return { type: "BOOKMARK", object: { kind: resource.kind, apiVersion: apiVersionOf(resource), metadata } };
}

function endAfter(seconds: number, end: () => void): NodeJS.Timeout | undefined {
  return seconds > 0 ? setTimeout(end, seconds * 1000).unref() : undefined;
}
