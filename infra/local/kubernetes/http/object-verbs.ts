import type { IncomingMessage } from "node:http";
import { badRequest, methodNotAllowed } from "../api-errors.ts";
import { isFields } from "../objects.ts";
import { refOf, read, type Api } from "../verbs/context.ts";
import { create } from "../verbs/create.ts";
import { deleteObject, type DeleteOptions } from "../verbs/delete.ts";
import { patch, update } from "../verbs/update.ts";
import { parseSelectors } from "../store/selectors.ts";
import { parseObject, mediaTypeOf, readJson } from "./body.ts";
import { represent, type Representation } from "./representation.ts";
import { objectRef, type Route } from "./route.ts";

export interface ApiResponse {
  readonly code: number;
  readonly body: unknown;
}

/** Handles every verb except list and watch. Throws `ApiError`. */
export async function handleVerb(
  api: Api,
  route: Route,
  query: URLSearchParams,
  representation: Representation,
  request: IncomingMessage,
): Promise<ApiResponse> {
  const { method = "" } = request;
  if (method === "GET") return { code: 200, body: represent(read(api, objectRef(route)), representation) };
  if (query.has("dryRun")) throw badRequest("dryRun is not supported by the embedded cluster");
  const body = await readJson(request);
  switch (method) {
    case "POST":
      return {
        code: 201,
        body: represent(create(api, route.resource, namespaceFor(route), parseObject(body)), representation),
      };
    case "PUT":
      return {
        code: 200,
        body: represent(update(api, objectRef(route), route.target, parseObject(body)), representation),
      };
    case "PATCH":
      return {
        code: 200,
        body: represent(patch(api, objectRef(route), route.target, body, mediaTypeOf(request)), representation),
      };
    case "DELETE":
      return { code: 200, body: deleteOne(api, route, query, parseDeleteOptions(query, body)) };
    default:
      throw methodNotAllowed();
  }
}

function namespaceFor({ resource, namespace, name }: Route): string {
  if (name !== null || (resource.namespaced && namespace === null)) throw methodNotAllowed();
  return namespace ?? "";
}

function parseDeleteOptions(query: URLSearchParams, body: unknown): DeleteOptions {
  const policy = query.get("propagationPolicy");
  return { ...(policy !== null && { propagationPolicy: policy }), ...(isFields(body) && body) };
}

function deleteOne(api: Api, route: Route, query: URLSearchParams, options: DeleteOptions): unknown {
  if (route.name === null) return deleteCollection(api, route, query, options);
  const { resource } = route;
  const { object, isDeleted } = deleteObject(api, objectRef(route), options);
  if (!isDeleted) return object;
  const { name, uid } = object.metadata;
  const details = { name, ...(resource.group && { group: resource.group }), kind: resource.plural, uid };
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", details };
}

function deleteCollection(
  api: Api,
  { resource, namespace }: Route,
  query: URLSearchParams,
  options: DeleteOptions,
): unknown {
  if (resource.namespaced && namespace === null) throw methodNotAllowed();
  const selected = parseSelectors(resource, query.get("labelSelector") ?? "", query.get("fieldSelector") ?? "");
  for (const object of api.store.list(resource, namespace).filter(selected)) {
    deleteObject(api, refOf(resource, object), options);
  }
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success" };
}
