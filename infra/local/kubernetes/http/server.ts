import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listen } from "../../listen.ts";
import { ApiError } from "../api-errors.ts";
import type { Api } from "../verbs/context.ts";
import type { Pages } from "../store/paging.ts";
import { discover } from "./discovery.ts";
import { handleEviction } from "./eviction.ts";
import { listPage } from "./list.ts";
import { handleVerb, type ApiResponse } from "./object-verbs.ts";
import { negotiateRepresentation } from "./representation.ts";
import { parseRoute } from "./route.ts";
import { watch } from "./watch.ts";

interface ApiServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves the API over HTTP on a free port of 127.0.0.1, without authentication. */
export async function startApiServer(api: Api, pages: Pages): Promise<ApiServer> {
  const server = createServer((request, response) => {
    void serve(api, pages, request, response)
      .catch((error: unknown) => errorResponse(error))
      .then((answer) => answer && send(response, answer));
  });
  const { host, close } = await listen(server);
  return { url: `http://${host}`, close };
}

/** Handles a request; null if the response is a watch stream. */
async function serve(
  api: Api,
  pages: Pages,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<ApiResponse | null> {
  const { pathname, searchParams: query } = new URL(request.url ?? "/", "http://127.0.0.1");
  const found = request.method === "GET" ? discover(api.resourceRegistry, pathname.replace(/\/$/, "")) : undefined;
  if (found !== undefined) return { code: 200, body: found };
  const route = parseRoute(api.resourceRegistry, pathname);
  if (!route) return { code: 404, body: "404 page not found\n" };
  if (route.isEviction) return handleEviction(api, route, request);
  const representation = negotiateRepresentation(request.headers.accept);
  if (request.method !== "GET" || route.name !== null) return handleVerb(api, route, query, representation, request);
  if (!["1", "true"].includes(query.get("watch") ?? ""))
    return { code: 200, body: listPage(api, pages, route, query, representation) };
  watch(api, route, query, representation, response);
  return null;
}

function errorResponse(error: unknown): ApiResponse {
  if (error instanceof ApiError) return { code: error.body.code, body: error.body };
  const message = `Internal error occurred: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  return { code: 500, body: new ApiError(500, "InternalError", message).body };
}

function send(response: ServerResponse, { code, body }: ApiResponse): void {
  if (response.headersSent) return void response.destroy();
  const isText = typeof body === "string";
  response.writeHead(code, { "content-type": isText ? "text/plain; charset=utf-8" : "application/json" });
  response.end(isText ? body : JSON.stringify(body));
}
