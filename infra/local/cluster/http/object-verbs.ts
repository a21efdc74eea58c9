import type { IncomingMessage } from "node:http";
import { badRequest, methodNotAllowed } from "../failure.ts";
import { isFields } from "../objects.ts";
import { placeOf, read, type Api } from "../rules/api.ts";
import { create } from "../rules/create.ts";
import { destroy, type DeleteOptions } from "../rules/destroy.ts";
import { patch, update } from "../rules/update.ts";
import { selection } from "../store/selectors.ts";
import { asDraft, mediaTypeOf, readJson } from "./body.ts";
import { represent, type Shape } from "./representation.ts";
import { placeIn, type Route } from "./route.ts";

export interface Answer {
  readonly code: number;
  readonly body: unknown;
}

/** Every verb but list and watch. Throws `RequestRefused`. */
export async function answerVerb(
  api: Api,
  route: Route,
  query: URLSearchParams,
  shape: Shape,
  request: IncomingMessage,
): Promise<Answer> {
  const { method = "" } = request;
  if (method === "GET") return { code: 200, body: represent(read(api, placeIn(route)), shape) };
  if (query.has("dryRun")) throw badRequest("dryRun is not served by the embedded cluster");
  const body = await readJson(request);
  switch (method) {
    case "POST":
      return { code: 201, body: represent(create(api, route.resource, namespaceFor(route), asDraft(body)), shape) };
    case "PUT":
      return { code: 200, body: represent(update(api, placeIn(route), route.half, asDraft(body)), shape) };
    case "PATCH":
      return { code: 200, body: represent(patch(api, placeIn(route), route.half, body, mediaTypeOf(request)), shape) };
    case "DELETE":
      return { code: 200, body: remove(api, route, query, optionsFrom(query, body)) };
    default:
      throw methodNotAllowed();
  }
}

function namespaceFor({ resource, namespace, name }: Route): string {
  if (name !== null || (resource.namespaced && namespace === null)) throw methodNotAllowed();
  return namespace ?? "";
}

function optionsFrom(query: URLSearchParams, body: unknown): DeleteOptions {
  const policy = query.get("propagationPolicy");
  return { ...(policy !== null && { propagationPolicy: policy }), ...(isFields(body) && body) };
}

function remove(api: Api, route: Route, query: URLSearchParams, options: DeleteOptions): unknown {
  if (route.name === null) return removeAll(api, route, query, options);
  const { resource } = route;
  const { object, gone } = destroy(api, placeIn(route), options);
  if (!gone) return object;
  const { name, uid } = object.metadata;
  const details = { name, ...(resource.group && { group: resource.group }), kind: resource.plural, uid };
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", details };
}

function removeAll(api: Api, { resource, namespace }: Route, query: URLSearchParams, options: DeleteOptions): unknown {
  if (resource.namespaced && namespace === null) throw methodNotAllowed();
  const selected = selection(resource, query.get("labelSelector") ?? "", query.get("fieldSelector") ?? "");
  for (const object of api.store.list(resource, namespace).filter(selected)) {
    destroy(api, placeOf(resource, object), options);
  }
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success" };
}
