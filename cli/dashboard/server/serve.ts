import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listen } from "../../../infra/local/listen.ts";
import { type Action, type ActionResult, parseAction } from "../actions.ts";
import type { StreamMessage } from "../model.ts";
import type { Asset } from "../../../infra/bundles/page-assets.ts";
import { securityHeaders } from "./headers.ts";
import { toSafeJson } from "./safe-json.ts";
import { createSession } from "./session.ts";
import { createStreams } from "./stream.ts";

/** Answers a request of the page. Returns the document, or null if what it asks for does not exist. */
export type Query = (search: URLSearchParams) => Promise<unknown>;

interface ServerOptions {
  readonly assets: ReadonlyMap<string, Asset>;
  readonly queries: Readonly<Record<string, Query>>;
  /** Performs what the page asks for; null if actions are not allowed. */
  readonly act: ((action: Action) => Promise<ActionResult>) | null;
  /** What a page that connects receives first. */
  readonly first: () => readonly StreamMessage[];
  /** 0 is a free port. */
  readonly port: number;
}

export interface DashboardServer {
  /** With the token in its fragment. */
  readonly url: string;
  publish(message: StreamMessage): void;
  close(): Promise<void>;
}

const maxBodyBytes = 4096;

/** Serves the dashboard on 127.0.0.1. Throws if the port is in use. */
export async function serveDashboard({ assets, queries, act, first, port }: ServerOptions): Promise<DashboardServer> {
  const streams = createStreams();
  const server = createServer((request, response) => {
    void respond(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else sendJson(response, 500, { error: (error as Error).message });
    });
  });
  const listening = await listen(server, port);
  const session = createSession(listening.host);

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://dashboard");
    const refused = session.refusal(request, pathname.startsWith("/api/"));
    if (refused !== null) return sendJson(response, refused, { error: refusals[refused] });
    if (pathname === "/session") return exchange(request, response);
    if (pathname === "/api/action" && request.method === "POST") return perform(request, response);
    if (request.method !== "GET") return sendJson(response, 405, { error: "only GET is allowed" });
    if (pathname === "/api/stream") return streams.open(response, first());
    const asset = assets.get(pathname);
    if (asset !== undefined) {
      response.writeHead(200, { "Content-Type": asset.type }).end(asset.body);
      return;
    }
    const name = pathname.slice("/api/".length);
    const query = pathname.startsWith("/api/") && Object.hasOwn(queries, name) ? queries[name] : undefined;
    const found = (await query?.(searchParams)) ?? null;
    if (found === null) return sendJson(response, 404, { error: `${pathname}: not found` });
    sendJson(response, 200, found);
  }

  async function exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const cookie = request.method === "POST" ? session.exchange(await readBody(request)) : null;
    if (cookie === null) return sendJson(response, 401, { error: refusals[401] });
    response.writeHead(204, { "Set-Cookie": cookie }).end();
  }

  async function perform(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (act === null) return sendJson(response, 403, { error: "actions are off; start it with --allow-actions" });
    const action = parseAction(await readBody(request));
    if (action === null) return sendJson(response, 400, { error: "this is not an action of the dashboard" });
    sendJson(response, 200, await act(action));
  }

  return {
    url: `http://${listening.host}/#token=${session.token}`,
    publish: (message) => streams.publish(message),
    async close() {
      streams.close();
      await listening.close();
    },
  };
}

const refusals = {
  401: "the token is missing or wrong; open the address that pawl dashboard printed",
  403: "this request does not come from the page of the dashboard",
} as const;

function sendJson(response: ServerResponse, status: number, document: unknown): void {
  response.writeHead(status, { "Content-Type": "application/json; charset=utf-8" }).end(toSafeJson(document));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > maxBodyBytes) return "";
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}
