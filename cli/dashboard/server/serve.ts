import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listen } from "../../../infra/local/listen.ts";
import type { Asset } from "../../../infra/bundles/page-assets.ts";
import { answerAsset, answerFailure, answerPage, type Page, readBody, sendJson } from "./answer-page.ts";
import { securityHeaders } from "./headers.ts";
import { createSession } from "./session.ts";

interface ServerOptions extends Page {
  readonly assets: ReadonlyMap<string, Asset>;
  /** 0 is a free port. */
  readonly port: number;
}

interface DashboardServer {
  /** With the token in its fragment. */
  readonly url: string;
  close(): Promise<void>;
}

/** Serves the dashboard on 127.0.0.1. Throws if the port is in use. */
export async function serveDashboard({ assets, port, ...page }: ServerOptions): Promise<DashboardServer> {
  const server = createServer((request, response) => {
    void respond(request, response).catch((error: unknown) => answerFailure(response, error));
  });
  const listening = await listen(server, port);
  const session = createSession(listening.host);

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
    const { pathname } = new URL(request.url ?? "/", "http://dashboard");
    const refused = session.refusal(request, pathname.startsWith("/api/"));
    if (refused !== null) return sendJson(response, refused, { error: refusals[refused] });
    if (pathname === "/session") return exchange(request, response);
    if (!answerAsset(assets, request, response)) await answerPage(page, request, response);
  }

  async function exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const cookie = request.method === "POST" ? session.exchange(await readBody(request)) : null;
    if (cookie === null) return sendJson(response, 401, { error: refusals[401] });
    response.writeHead(204, { "Set-Cookie": cookie }).end();
  }

  return { url: `http://${listening.host}/#token=${session.token}`, close: () => listening.close() };
}

const refusals = {
  401: "the token is missing or wrong; open the address that pawl dashboard printed",
  403: "this request does not come from the page of the dashboard",
} as const;
