import { createServer, type Server, type ServerResponse } from "node:http";
import type { Shelf } from "../images.ts";
import { type Content, contents } from "./content.ts";
import type { Counter } from "./counts.ts";
import { pagesOf } from "./pages.ts";

export interface Stock extends Shelf {
  /** Between a request and its answer. */
  readonly latencyMilliseconds: number;
  /** The most that the registry gives at once, whatever is asked for. */
  readonly pageSize: number;
}

/** A registry that wants no login, answers each request after the same time, and counts. */
export function registryServer(stock: Stock, counter: Counter): Server {
  const answer = answers(stock);
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://registry");
    counter.begin(url.pathname);
    response.once("close", () => counter.end());
    request.resume();
    setTimeout(() => answer(url, response), stock.latencyMilliseconds);
  });
  server.on("connection", () => counter.connected());
  server.keepAliveTimeout = 60_000;
  return server;
}

function answers(stock: Stock): (url: URL, response: ServerResponse) => void {
  const pageAt = pagesOf(stock, stock.pageSize);
  const { indexOf, byDigest } = contents();

  function contentAt(pathname: string): Content | undefined {
    const [, repository = "", reference = ""] = /^\/v2\/(.+)\/(?:manifests|blobs)\/([^/]+)$/.exec(pathname) ?? [];
    if (repository === "") return undefined;
    return reference.startsWith("sha256:") ? byDigest(reference) : indexOf(repository, reference);
  }

  return ({ pathname, searchParams }, response) => {
    if (pathname === "/v2/") return void response.end("{}");
    const [, listed] = /^\/v2\/(.+)\/tags\/list$/.exec(pathname) ?? [];
    if (listed === undefined) return sendContent(response, contentAt(pathname));
    const page = pageAt(listed, searchParams.get("last"));
    if (page === undefined) return void response.writeHead(404).end();
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(page.body) };
    return void response.writeHead(200, page.link === null ? headers : { ...headers, link: page.link }).end(page.body);
  };
}

function sendContent(response: ServerResponse, content: Content | undefined): void {
  if (content === undefined) return void response.writeHead(404).end();
  const { type, digest, bytes } = content;
  const headers = { "content-type": type, "content-length": bytes.byteLength, "docker-content-digest": digest };
  response.writeHead(200, headers).end(bytes);
}
