import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import type { GitHost } from "../memory-git.ts";
import { createBareRepository } from "./bare-repository.ts";
import { answerGraphql } from "./graphql.ts";
import { type Answer, answerRest, type HostState, mergePull, refuse } from "./routes.ts";
import { appSlug, appTokenProblem, createTokens } from "./tokens.ts";

/** What happens to one request in place of its answer: another answer, or a lost connection before or after it was done. */
export type Fault = Answer | "reset" | "reset-after";

export interface GitHubStandIn extends GitHost {
  readonly apiUrl: string;
  /** OWNER/NAME. */
  readonly name: string;
  readonly state: HostState;
  readonly tokens: ReturnType<typeof createTokens>;
  /** METHOD and path of each request, oldest first. */
  readonly requests: string[];
  /** Lets the next request whose METHOD and path match end in this way. */
  fail(pattern: RegExp, fault: Fault): void;
  /** Permissions that the owner of the repository gave the App. */
  permissions: Readonly<Record<string, string>> | null;
  stop(): Promise<void>;
}

/** Starts GitHub's REST and GraphQL for one repository on 127.0.0.1, with a bare git repository behind it. */
export async function startGitHub(
  files: Readonly<Record<string, string | Uint8Array>>,
  now: () => Date,
  modes: Readonly<Record<string, string>> = {},
): Promise<GitHubStandIn> {
  const repository = createBareRepository(now);
  const name = "acme/deploy";
  const state: HostState = {
    repository,
    now,
    name,
    pulls: [],
    protection: null,
    maxTreeEntries: 100_000,
    autoMerge: null,
  };
  const tokens = createTokens(now);
  const requests: string[] = [];
  const faults: { readonly pattern: RegExp; readonly fault: Fault }[] = [];
  repository.moveRef("main", repository.commit(null, new Map(Object.entries(files)), "initial", modes), null);

  function answer(method: string, url: URL, token: string, body: Record<string, unknown>): Answer {
    const path = url.pathname.replace(/^\/api\/v3/, "");
    if (path === `/repos/${name}/installation` || path.startsWith("/app/")) return answerApp(path, token, body);
    const granted = tokens.find(token);
    if (granted === null) return { status: 401, body: { message: "Bad credentials" } };
    if (!granted.repositories.includes(name.slice(5))) return { status: 404, body: { message: "Not Found" } };
    const needs = /\/pulls\b/.test(path) ? "pull_requests" : "contents";
    if (granted.permissions[needs] !== "write")
      return { status: 403, body: { message: "Resource not accessible by integration" } };
    if (path === "/api/graphql") return answerGraphql(state, body as never);
    return path.startsWith(`/repos/${name}/`)
      ? answerRest(state, method, path.slice(7 + name.length), url.searchParams, body)
      : { status: 404, body: { message: "Not Found" } };
  }

  function answerApp(path: string, token: string, body: Record<string, unknown>): Answer {
    const problem = appTokenProblem(token, now());
    if (problem !== null) return { status: 401, body: { message: problem } };
    if (host.permissions === null) return { status: 404, body: { message: "Not Found" } };
    if (path.endsWith("/installation")) return { status: 200, body: { id: 77, app_slug: appSlug } };
    const wanted = body["permissions"] as Record<string, string>;
    if (Object.entries(wanted).some(([key, value]) => host.permissions?.[key] !== value))
      return refuse("The permissions requested are not granted to this installation.");
    return { status: 201, body: tokens.issue(body["repositories"] as string[], wanted) };
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url = "", headers } = request;
    const body = method === "GET" || method === "DELETE" ? {} : ((await json(request)) as Record<string, unknown>);
    const key = `${method} ${url}`;
    requests.push(key);
    const index = faults.findIndex(({ pattern }) => pattern.test(key));
    const [failure] = index === -1 ? [] : faults.splice(index, 1);
    if (failure?.fault === "reset") return void request.socket.destroy();
    const token = headers.authorization?.replace("Bearer ", "") ?? "";
    const given =
      typeof failure?.fault === "object" ? failure.fault : answer(method, new URL(url, "http://host"), token, body);
    if (failure?.fault === "reset-after") return void request.socket.destroy();
    response.writeHead(given.status, { "content-type": "application/json", ...given.headers });
    response.end(given.body === undefined ? "" : JSON.stringify(given.body));
  }

  const server = createServer((request, response) => void handle(request, response));
  // A connection that the server closes while a request is on its way would be a failure.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { readonly port: number };

  const host: GitHubStandIn = {
    apiUrl: `http://127.0.0.1:${port}/api/v3`,
    name,
    state,
    tokens,
    requests,
    permissions: { contents: "write", pull_requests: "write" },
    fail: (pattern, fault) => void faults.push({ pattern, fault }),
    async push(changed) {
      const head = repository.head("main");
      const commit = repository.commit(head, new Map(Object.entries(changed)), "a person");
      repository.moveRef("main", commit, head);
      return commit;
    },
    read: async (path) => repository.readFile("main", path)?.toString("utf8") ?? null,
    async merge(number) {
      const pull = state.pulls[number - 1];
      const commit = pull === undefined ? null : mergePull(state, pull);
      if (commit === null) throw new Error(`pull request ${number} cannot be merged`);
      return commit;
    },
    close: async (number) => void Object.assign(state.pulls[number - 1] ?? {}, { state: "closed" }),
    reopen: async (number) => void Object.assign(state.pulls[number - 1] ?? {}, { state: "open" }),
    async retarget(number, branch) {
      repository.moveRef(branch, repository.head("main"), null);
      Object.assign(state.pulls[number - 1] ?? {}, { base: branch });
    },
    protect: async () =>
      void (state.protection = {
        type: "BRANCH_PROTECTION_RULE_VIOLATION",
        message: "Changes must be made through a pull request.",
      }),
    allowAutoMerge: async (allowed) => void (state.autoMerge = allowed),
    async pass(number) {
      const pull = state.pulls[number - 1];
      if (pull?.isAutoMerged) mergePull(state, pull);
    },
    log: async () => repository.log("main"),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
      repository.remove();
    },
  };
  return host;
}
