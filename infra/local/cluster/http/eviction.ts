import type { IncomingMessage } from "node:http";
import { badRequest, methodNotAllowed } from "../failure.ts";
import type { Api } from "../rules/api.ts";
import { evict } from "../rules/evict.ts";
import { asDraft, readJson } from "./body.ts";
import type { Answer } from "./object-verbs.ts";
import { placeIn, type Route } from "./route.ts";

/** POST of an Eviction: of policy/v1, or policy/v1beta1 as servers before 1.22 have it. */
export async function answerEviction(api: Api, route: Route, request: IncomingMessage): Promise<Answer> {
  if (request.method !== "POST") throw methodNotAllowed();
  const eviction = asDraft(await readJson(request));
  const place = placeIn(route);
  const { apiVersion = "policy/v1", kind = "Eviction", metadata } = eviction;
  if (kind !== "Eviction" || !["policy/v1", "policy/v1beta1"].includes(apiVersion))
    throw badRequest(`${kind} in version "${apiVersion}" cannot be handled as an Eviction`);
  if (metadata?.name !== undefined && metadata.name !== place.name)
    throw badRequest("name in URL does not match name in Eviction object");
  evict(api, place, eviction);
  return { code: 201, body: { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 } };
}
