import type { IncomingMessage, ServerResponse } from "node:http";
import { AdmissionDenied, Forbidden } from "../../../functions/ports/errors.ts";
import type { Asset } from "../../../infra/bundles/page-assets.ts";
import { parseAction } from "../actions.ts";
import type { PageMessage } from "../model.ts";
import type { ClusterView } from "./cluster-view.ts";
import { toSafeJson } from "./safe-json.ts";
import type { Streams } from "./stream.ts";

export interface Page {
  readonly view: Pick<ClusterView, "queries" | "act"> & { first(): readonly PageMessage[] };
  readonly streams: Pick<Streams, "open">;
}

const maxBodyBytes = 4096;

/** Answers with an asset of the page. Returns false if the path has none. */
export function answerAsset(
  assets: ReadonlyMap<string, Asset>,
  { method, url = "/" }: IncomingMessage,
  response: ServerResponse,
): boolean {
  const asset = method === "GET" ? assets.get(new URL(url, "http://dashboard").pathname) : undefined;
  if (asset === undefined) return false;
  response.writeHead(200, { "Content-Type": asset.type }).end(asset.body);
  return true;
}

/** Answers what the page asks below `/api/`. The caller has checked who asks. */
export async function answerPage({ view, streams }: Page, request: IncomingMessage, response: ServerResponse) {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://dashboard");
  if (pathname === "/api/action" && request.method === "POST") return perform(view, request, response);
  if (request.method !== "GET") return sendJson(response, 405, { error: "only GET is allowed" });
  if (pathname === "/api/stream") return streams.open(response, view.first());
  const name = pathname.slice("/api/".length);
  const query = pathname.startsWith("/api/") && Object.hasOwn(view.queries, name) ? view.queries[name] : undefined;
  const found = (await query?.(searchParams)) ?? null;
  if (found === null) return sendJson(response, 404, { error: `${pathname}: not found` });
  sendJson(response, 200, found);
}

async function perform(
  { act }: Pick<ClusterView, "act">,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (act === null) return sendJson(response, 403, { error: "actions are off; start it with --allow-actions" });
  const action = parseAction(await readBody(request));
  if (action === null) return sendJson(response, 400, { error: "this is not an action of the dashboard" });
  sendJson(response, 200, await act(action));
}

/** Answers 403 if a cluster has denied it, or else 500, unless an answer has begun. */
export function answerFailure(response: ServerResponse, error: unknown): void {
  if (response.headersSent) response.destroy();
  else
    sendJson(response, error instanceof Forbidden || error instanceof AdmissionDenied ? 403 : 500, {
      error: (error as Error).message,
    });
}

export function sendJson(response: ServerResponse, status: number, document: unknown): void {
  response.writeHead(status, { "Content-Type": "application/json; charset=utf-8" }).end(toSafeJson(document));
}

/** Returns the body of a request; nothing if it is larger than what the page sends. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > maxBodyBytes) return "";
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}
