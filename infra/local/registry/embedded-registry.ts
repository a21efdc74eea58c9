import { parseImageReference } from "../../../functions/domain/image/reference.ts";
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { listen } from "../listen.ts";
import { createAuthorizer, type Authorizer, type Login } from "./login.ts";
import { errorResponse, type RegistryResponse } from "./reply.ts";
import { handleRoute, parseRegistryRoute } from "./routes.ts";
import { createRegistryStore, type RegistryStore } from "./store.ts";

export interface EmbeddedRegistrySettings {
  /** The tags by repository. */
  readonly repositories: Readonly<Record<string, readonly string[]>>;
  readonly pageSize?: number;
  readonly auth?: Login;
  /** Delay before each response, in milliseconds. */
  readonly latencyMs?: number;
}

export interface EmbeddedRegistry {
  readonly url: string;
  /** `127.0.0.1:port`, as in an image reference. */
  readonly host: string;
  /**
   * Points the tag to an index that depends only on repository and tag, and creates the repository if needed. A given
   * `digest` replaces the digest that is reported; it does not match the content.
   */
  push(repository: string, tag: string, digest?: string): void;
  /** Points the tag to a new index of two images. Returns the digests of the index and the images. */
  rebuild(repository: string, tag: string): readonly string[];
  /** Removes the tag; its manifest is still available by digest. */
  remove(repository: string, tag: string): void;
  /** Resolves an image reference of this registry to a digest; null if there is none. */
  digestOf(image: string): string | null;
  /** Oldest first; paths with their query. */
  requests(): readonly { readonly method: string; readonly path: string }[];
  close(): Promise<void>;
}

interface ServerContext {
  readonly store: RegistryStore;
  readonly authenticator: Authorizer;
  readonly pageSize: number;
}

/** Starts a registry in memory: the pull part of the OCI distribution API, over plain HTTP on a free loopback port. */
export async function startEmbeddedRegistry(settings: EmbeddedRegistrySettings): Promise<EmbeddedRegistry> {
  const { repositories, pageSize = 100, auth = null, latencyMs = 0 } = settings;
  const requestLog: { method: string; path: string }[] = [];
  const store = createRegistryStore(repositories);
  const server = createServer((request, response) => void serve(request, response));
  const { host, close } = await listen(server);
  const url = `http://${host}`;
  const parts = { store, authenticator: createAuthorizer(auth, url), pageSize };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    requestLog.push({ method: request.method ?? "", path: request.url ?? "" });
    if (latencyMs > 0) await delay(latencyMs);
    write(response, request, respond(request, URL.parse(request.url ?? "/", url), parts));
  }

  return {
    url,
    host,
    push: (repository, tag, digest) => store.push(repository, tag, digest),
    rebuild: (repository, tag) => store.rebuild(repository, tag),
    remove: (repository, tag) => store.remove(repository, tag),
    digestOf(image) {
      const parsed = parseImageReference(image);
      if ("kind" in parsed || parsed.registry !== host) return null;
      return store.manifest(parsed.repository, parsed.digest ?? parsed.tag ?? "latest")?.digest ?? null;
    },
    requests: () => [...requestLog],
    close,
  };
}

function respond(
  { method, headers }: IncomingMessage,
  url: URL | null,
  { store, authenticator, pageSize }: ServerContext,
): RegistryResponse {
  if (url === null) return errorResponse(400, "UNSUPPORTED", "no such path");
  if (method !== "GET" && method !== "HEAD")
    return errorResponse(405, "UNSUPPORTED", "this registry supports only GET and HEAD");
  if (url.pathname === "/token") return authenticator.issueToken(headers.authorization, url.searchParams);
  const route = parseRegistryRoute(url.pathname);
  if (route === null) return errorResponse(404, "NOT_FOUND", "no such path");
  return (
    authenticator.authorize(headers.authorization, route.repository) ??
    handleRoute(route, url.searchParams, store, pageSize)
  );
}

function write(response: ServerResponse, request: IncomingMessage, { status, headers, body }: RegistryResponse): void {
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
