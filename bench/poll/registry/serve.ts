import { createServer, type Server, type ServerResponse } from "node:http";
import type { TagList } from "../images.ts";
import { type OciObject, createImageStore } from "./content.ts";
import type { RequestCounter } from "./counts.ts";
import { createPages } from "./pages.ts";

export interface RegistryContent extends TagList {
  /** Between a request and its response. */
  readonly latencyMilliseconds: number;
  /** Maximum number of tags per page; the registry ignores `n`. */
  readonly pageSize: number;
}

/** Creates a registry without authentication that answers each request after a fixed latency and counts requests. */
export function createRegistryServer(content: RegistryContent, counter: RequestCounter): Server {
  const handle = createRequestHandler(content);
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://registry");
    counter.onRequest(url.pathname);
    response.once("close", () => counter.onResponse());
    request.resume();
    setTimeout(() => handle(url, response), content.latencyMilliseconds);
  });
  server.on("connection", () => counter.onConnection());
  server.keepAliveTimeout = 60_000;
  return server;
}

function createRequestHandler(content: RegistryContent): (url: URL, response: ServerResponse) => void {
  const findPage = createPages(content, content.pageSize);
  const { imageIndex, byDigest } = createImageStore();

  function findObject(pathname: string): OciObject | undefined {
    const [, repository = "", reference = ""] = /^\/v2\/(.+)\/(?:manifests|blobs)\/([^/]+)$/.exec(pathname) ?? [];
    if (repository === "") return undefined;
    return reference.startsWith("sha256:") ? byDigest(reference) : imageIndex(repository, reference);
  }

  return ({ pathname, searchParams }, response) => {
    if (pathname === "/v2/") return void response.end("{}");
    const [, repository] = /^\/v2\/(.+)\/tags\/list$/.exec(pathname) ?? [];
    if (repository === undefined) return sendObject(response, findObject(pathname));
    const page = findPage(repository, searchParams.get("last"));
    if (page === undefined) return void response.writeHead(404).end();
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(page.body) };
    return void response.writeHead(200, page.link === null ? headers : { ...headers, link: page.link }).end(page.body);
  };
}

function sendObject(response: ServerResponse, object: OciObject | undefined): void {
  if (object === undefined) return void response.writeHead(404).end();
  const { mediaType, digest, bytes } = object;
  const headers = { "content-type": mediaType, "content-length": bytes.byteLength, "docker-content-digest": digest };
  response.writeHead(200, headers).end(bytes);
}
