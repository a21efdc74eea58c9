import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { listen } from "../listen.ts";
import { gateFor, type Gate, type Login } from "./login.ts";
import { refusal, type Reply } from "./reply.ts";
import { answer, routeOf } from "./routes.ts";
import { createStore, type Store } from "./store.ts";

export interface EmbeddedRegistrySettings {
  /** Repository to tags. */
  readonly repositories: Readonly<Record<string, readonly string[]>>;
  readonly pageSize?: number;
  readonly auth?: Login;
  /** Before each answer, in milliseconds. */
  readonly latencyMs?: number;
}

export interface EmbeddedRegistry {
  readonly url: string;
  /** `127.0.0.1:port`, as an image reference names it. */
  readonly host: string;
  /**
   * Makes the tag stand for what repository and tag always give; the repository appears with its first tag. A digest given
   * is what HEAD names, and no more than a name: there are no bytes that have it.
   */
  push(repository: string, tag: string, digest?: string): void;
  /** Makes the tag stand for a new index of two images. Returns its digest, and after it theirs. */
  rebuild(repository: string, tag: string): readonly string[];
  /** Takes the tag away; what it stood for is still found by digest. */
  remove(repository: string, tag: string): void;
  /** The digest behind an image of this registry, as a reference names it; null where there is none. */
  digestOf(image: string): string | null;
  /** Oldest first; paths with their query. */
  requests(): readonly { readonly method: string; readonly path: string }[];
  close(): Promise<void>;
}

interface Parts {
  readonly store: Store;
  readonly gate: Gate;
  readonly pageSize: number;
}

/** A registry in memory that speaks the reading half of the OCI distribution API over plain HTTP on a free loopback port. */
export async function startEmbeddedRegistry(settings: EmbeddedRegistrySettings): Promise<EmbeddedRegistry> {
  const { repositories, pageSize = 100, auth = null, latencyMs = 0 } = settings;
  const seen: { method: string; path: string }[] = [];
  const store = createStore(repositories);
  const server = createServer((request, response) => void serve(request, response));
  const { host, close } = await listen(server);
  const url = `http://${host}`;
  const parts = { store, gate: gateFor(auth, url), pageSize };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    seen.push({ method: request.method ?? "", path: request.url ?? "" });
    if (latencyMs > 0) await delay(latencyMs);
    write(response, request, reply(request, URL.parse(request.url ?? "/", url), parts));
  }

  return {
    url,
    host,
    push: (repository, tag, digest) => store.push(repository, tag, digest),
    rebuild: (repository, tag) => store.rebuild(repository, tag),
    remove: (repository, tag) => store.remove(repository, tag),
    digestOf(image) {
      const [, repository = "", reference = "latest"] = /^[^/]*\/([^:@]+)(?::[^@]*@|@|:)?(.+)?$/.exec(image) ?? [];
      return image.startsWith(`${host}/`) ? (store.manifest(repository, reference)?.digest ?? null) : null;
    },
    requests: () => [...seen],
    close,
  };
}

function reply({ method, headers }: IncomingMessage, url: URL | null, { store, gate, pageSize }: Parts): Reply {
  if (url === null) return refusal(400, "UNSUPPORTED", "no such path");
  if (method !== "GET" && method !== "HEAD")
    return refusal(405, "UNSUPPORTED", "this registry is read with GET and HEAD");
  if (url.pathname === "/token") return gate.issue(headers.authorization, url.searchParams);
  const route = routeOf(url.pathname);
  if (route === null) return refusal(404, "NOT_FOUND", "no such path");
  return gate.check(headers.authorization, route.repository) ?? answer(route, url.searchParams, store, pageSize);
}

function write(response: ServerResponse, request: IncomingMessage, { status, headers, body }: Reply): void {
  const etag = `"${createHash("sha256").update(body).digest("hex")}"`;
  const unchanged = status === 200 && request.headers["if-none-match"] === etag;
  response.writeHead(unchanged ? 304 : status, {
    "docker-distribution-api-version": "registry/2.0",
    ...(status === 200 && { etag }),
    ...(!unchanged && { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
    ...headers,
  });
  response.end(request.method === "HEAD" || unchanged ? undefined : body);
}
