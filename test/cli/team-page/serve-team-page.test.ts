import { type IncomingHttpHeaders, request } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serveTeamPage } from "../../../cli/team-page/serve-team-page.ts";
import { answerOf, fetchOf, issuer } from "./issuer.ts";

const url = "https://pawl.example.com";
const names = ["x", "flow-x"];
const log: string[] = [];
let nonce = "";
let team: Awaited<ReturnType<typeof serveTeamPage>>;

beforeAll(async () => {
  const login = { issuer, clientId: "page", clientSecret: null, scope: "openid", parameters: {} };
  const logins = names.map((name) => ({ ...login, name }));
  team = await serveTeamPage({
    config: { url, address: "127.0.0.1", port: 0, tls: null, logins, clusters: [] },
    assets: new Map(),
    log: (line) => log.push(line),
    customFetch: fetchOf(() => answerOf({ nonce })),
  });
});
afterAll(() => team.close());

/** Sends a request as a proxy in front of the page does. */
function get(path: string, cookie = ""): Promise<{ readonly status?: number; readonly headers: IncomingHttpHeaders }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status?: number; headers: IncomingHttpHeaders }>();
  const headers = { host: new URL(url).host, cookie };
  request(`http://${team.host}${path}`, { headers }, (response) => {
    resolve({ status: response.statusCode ?? 0, headers: response.headers });
    response.resume();
  })
    .once("error", reject)
    .end();
  return promise;
}

const cookieIn = ({ headers }: { readonly headers: IncomingHttpHeaders }) =>
  headers["set-cookie"]?.[0]?.split(";")[0] ?? "";

/** Signs in as a browser does: on the way back from the issuer it does not send the strict cookie of a session. */
async function signIn(login: string, session = ""): Promise<string> {
  const begun = await get(`/login/${login}`, session);
  const asked = new URL(begun.headers.location ?? "").searchParams;
  nonce = asked.get("nonce") ?? "";
  const flow = cookieIn(begun);
  return cookieIn(await get(`/callback/${login}?code=one&state=${asked.get("state")}`, flow));
}

const statusOf = async (session: string) => (await get("/api/none", session)).status;

test("signing in again ends the session of before, and no other", async () => {
  const [first, other] = [await signIn("x"), await signIn("flow-x")];
  const second = await signIn("x", `${first}; ${other}`);
  expect(await Promise.all([first, second, other].map(statusOf))).toEqual([401, 404, 404]);
  expect(log).toContain("x: a@example.com: session ended: signed in again");
});

test("no login has a cookie of another one", async () => {
  const nameOf = (cookie: string) => cookie.split("=")[0];
  const begun = await Promise.all(names.map((name) => get(`/login/${name}`)));
  const sessions = [await signIn("x"), await signIn("flow-x")];
  expect(new Set([...begun.map(cookieIn), ...sessions].map(nameOf)).size).toBe(4);
});

test("a connection without a request is not kept for ever", async () => {
  expect((await get("/healthz")).headers["keep-alive"]).toBe("timeout=75");
});
