import type { IncomingMessage } from "node:http";
import { badRequest, methodNotAllowed } from "../api-errors.ts";
import type { Api } from "../verbs/context.ts";
import { evict } from "../verbs/evict.ts";
import { parseObject, readJson } from "./body.ts";
import type { ApiResponse } from "./object-verbs.ts";
import { objectRef, type Route } from "./route.ts";

/** Handles the POST of an Eviction of policy/v1, or of policy/v1beta1 as in servers before 1.22. */
export async function handleEviction(api: Api, route: Route, request: IncomingMessage): Promise<ApiResponse> {
  if (request.method !== "POST") throw methodNotAllowed();
  const eviction = parseObject(await readJson(request));
  const ref = objectRef(route);
  const { apiVersion = "policy/v1", kind = "Eviction", metadata } = eviction;
  if (kind !== "Eviction" || !["policy/v1", "policy/v1beta1"].includes(apiVersion))
    throw badRequest(`${kind} in version "${apiVersion}" cannot be handled as an Eviction`);
  if (metadata?.name !== undefined && metadata.name !== ref.name)
    throw badRequest("name in URL does not match name in Eviction object");
  evict(api, ref, eviction);
  return { code: 201, body: { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 } };
}
