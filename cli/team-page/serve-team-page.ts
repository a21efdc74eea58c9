import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { Asset } from "../../infra/bundles/page-assets.ts";
import { listen } from "../../infra/local/listen.ts";
import type { LoginRow } from "../dashboard/model.ts";
import { answerAsset, answerFailure, answerPage, sendJson } from "../dashboard/server/answer-page.ts";
import { securityHeaders } from "../dashboard/server/headers.ts";
import { isForeign, readCookie } from "../dashboard/server/session.ts";
import type { TeamPageConfig } from "./config.ts";
import { createFlows, maxFlowSeconds } from "./flow.ts";
import { createLogin, type CustomFetch, refusalReason } from "./login.ts";
import { actOn, combineQueries, qualifyMessage } from "./qualified-view.ts";
import { createSessions, type Session } from "./sessions.ts";
import { createViewer } from "./viewer.ts";

interface Options {
  readonly config: TeamPageConfig;
  readonly assets: ReadonlyMap<string, Asset>;
  readonly log: (line: string) => void;
  /** For requests to issuers. */
  readonly customFetch?: CustomFetch;
}

const headers = { ...securityHeaders, "Strict-Transport-Security": "max-age=31536000" };
const tendMs = 5000;
/** Longer than proxies in front of it keep a connection, so that they use none that it is closing. */
const keepAliveMs = 75_000;
const cookieOf = (login: string) => `__Host-pawl-${login}`;
/** No login has a name with a dot. */
const flowCookieOf = (login: string) => `__Host-pawl-flow.${login}`;
const attributes = "Path=/; Secure; HttpOnly";

/** Serves the page of several clusters to viewers who log in. Throws if the port is in use. */
export async function serveTeamPage({ config, assets, log, customFetch }: Options) {
  const { url, logins, clusters, tls } = config;
  const now = () => new Date();
  const byName = new Map(logins.map((login) => [login.name, createLogin(login, url, customFetch)]));
  const clustersOf = (login: string) => clusters.filter((one) => one.login === login);
  const sessions = createSessions({
    logins: byName,
    createViewer: (login, tokens) => createViewer(clustersOf(login), tokens),
    now,
    log,
  });
  const flows = createFlows();
  const timer = setInterval(() => void sessions.tend(), tendMs);
  const handle = (request: IncomingMessage, response: ServerResponse) =>
    void respond(request, response).catch((error: unknown) => answerFailure(response, error));
  const server = tls === null ? createPlainServer(handle) : createServer(tls, handle);
  const listening = await listen(server, config.port, config.address, keepAliveMs);

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    const { pathname, search } = new URL(request.url ?? "/", url);
    if (pathname === "/healthz") return void response.end("ok\n");
    const [, page = "", name = "", ...rest] = pathname.split("/");
    // Only assets, and the answer of an issuer, are asked for from elsewhere.
    if (isForeign(request, [url], ["api", "login", "logout"].includes(page)))
      return sendJson(response, 403, { error: "this request does not come from the page" });
    const login = rest.length === 0 && request.method === "GET" ? byName.get(name) : undefined;
    if (page === "login" && login !== undefined) {
      const { cookie, ...secrets } = flows.begin(name, now(), sessionOf(name, request)?.id ?? "");
      // A browser does not send a strict cookie when an issuer sends it back.
      response.setHeader(
        "Set-Cookie",
        `${flowCookieOf(name)}=${cookie}; ${attributes}; SameSite=Lax; Max-Age=${maxFlowSeconds}`,
      );
      return redirect(response, (await login.begin(secrets)).href);
    }
    if (page === "callback" && login !== undefined) return finish(name, search, request, response);
    if (pathname === "/logout" && request.method === "POST") return signOut(request, response);
    if (answerAsset(assets, request, response)) return;
    const found = sessionsOf(request);
    if (found.length > 0) return answerPage(await pageOf(found), request, response);
    sendJson(response, 401, { error: "you are not signed in, or no longer", logins: rowsOf([]) });
  }

  async function finish(name: string, query: string, request: IncomingMessage, response: ServerResponse) {
    const flow = flows.find(readCookie(request.headers.cookie, flowCookieOf(name)), name, now());
    const expired = `${flowCookieOf(name)}=; ${attributes}; SameSite=Lax; Max-Age=0`;
    try {
      if (flow === null) throw new Error("this browser has begun no login, or more than 10 minutes ago");
      const tokens = await (byName.get(name) as ReturnType<typeof createLogin>).finish(query, flow);
      sessions.replace(flow.replaces);
      const secret = sessions.start(name, tokens);
      response.setHeader("Set-Cookie", [`${cookieOf(name)}=${secret}; ${attributes}; SameSite=Strict`, expired]);
      redirect(response, `${url}/`);
    } catch (error) {
      const reason = refusalReason(error);
      log(`${name}: login refused: ${reason}`);
      response.writeHead(400, { "Content-Type": "text/plain; charset=utf-8", "Set-Cookie": expired });
      response.end(`Login ${name}: refused: ${reason}; open ${url} and sign in again\n`);
    }
  }

  function signOut(request: IncomingMessage, response: ServerResponse): void {
    for (const { name } of logins) sessions.end(readCookie(request.headers.cookie, cookieOf(name)));
    const gone = logins.map(({ name }) => `${cookieOf(name)}=; ${attributes}; SameSite=Strict; Max-Age=0`);
    response.writeHead(204, { "Set-Cookie": gone }).end();
  }

  function sessionOf(login: string, { headers: { cookie } }: IncomingMessage): Session | null {
    return sessions.find(login, readCookie(cookie, cookieOf(login)));
  }

  function sessionsOf(request: IncomingMessage): readonly Session[] {
    return logins.map(({ name }) => sessionOf(name, request)).filter((one) => one !== null);
  }

  async function pageOf(found: readonly Session[]) {
    const opened = await Promise.all(found.map(({ viewer }) => viewer.views()));
    const views = new Map(opened.flatMap((one) => [...one]));
    return {
      view: {
        first: () => [
          { kind: "logins" as const, logins: rowsOf(found) },
          ...[...views].flatMap(([name, view]) => view.first().map((message) => qualifyMessage(name, message))),
        ],
        queries: combineQueries(views),
        act: (action: Parameters<typeof actOn>[1]) => actOn(views, action),
      },
      streams: {
        open(response: ServerResponse, first: Parameters<Session["viewer"]["streams"]["open"]>[1]) {
          found.forEach(({ viewer }, index) =>
            index === 0 ? viewer.streams.open(response, first) : viewer.streams.add(response),
          );
        },
      },
    };
  }

  function rowsOf(found: readonly Session[]): readonly LoginRow[] {
    return logins.map(({ name }) => ({
      name,
      clusters: clustersOf(name).map((one) => one.name),
      user: found.find(({ login }) => login === name)?.user ?? null,
    }));
  }

  return {
    host: listening.host,
    async close() {
      clearInterval(timer);
      sessions.endAll();
      await listening.close();
    },
  };
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { Location: location }).end();
}
