import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listen } from "../../listen.ts";
import { RequestRefused } from "../failure.ts";
import type { Api } from "../rules/api.ts";
import type { Pages } from "../store/paging.ts";
import { discover } from "./discovery.ts";
import { answerEviction } from "./eviction.ts";
import { list } from "./list.ts";
import { answerVerb, type Answer } from "./object-verbs.ts";
import { shapeFor } from "./representation.ts";
import { routeOf } from "./route.ts";
import { watch } from "./watch.ts";

export interface ApiServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves the API over HTTP on a free port of 127.0.0.1. Nobody is asked who they are. */
export async function startApiServer(api: Api, pages: Pages): Promise<ApiServer> {
  const server = createServer((request, response) => {
    void serve(api, pages, request, response)
      .catch((error: unknown) => refusal(error))
      .then((answer) => answer && send(response, answer));
  });
  const { host, close } = await listen(server);
  return { url: `http://${host}`, close };
}

/** null where the answer is a stream that goes on. */
async function serve(
  api: Api,
  pages: Pages,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Answer | null> {
  const { pathname, searchParams: query } = new URL(request.url ?? "/", "http://127.0.0.1");
  const found = request.method === "GET" ? discover(api.catalogue, pathname.replace(/\/$/, "")) : undefined;
  if (found !== undefined) return { code: 200, body: found };
  const route = routeOf(api.catalogue, pathname);
  if (!route) return { code: 404, body: "404 page not found\n" };
  if (route.evicts) return answerEviction(api, route, request);
  const shape = shapeFor(request.headers.accept);
  if (request.method !== "GET" || route.name !== null) return answerVerb(api, route, query, shape, request);
  if (!["1", "true"].includes(query.get("watch") ?? ""))
    return { code: 200, body: list(api, pages, route, query, shape) };
  watch(api, route, query, shape, response);
  return null;
}

function refusal(error: unknown): Answer {
  if (error instanceof RequestRefused) return { code: error.body.code, body: error.body };
  const message = `Internal error occurred: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  return { code: 500, body: new RequestRefused(500, "InternalError", message).body };
}

function send(response: ServerResponse, { code, body }: Answer): void {
  if (response.headersSent) return void response.destroy();
  const isText = typeof body === "string";
  response.writeHead(code, { "content-type": isText ? "text/plain; charset=utf-8" : "application/json" });
  response.end(isText ? body : JSON.stringify(body));
}
