import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { listen } from "../../infra/local/listen.ts";
import { expectedTag, repositoryName } from "../poll/images.ts";
import type { ApiRequestCounts } from "../poll-memory/api-requests.ts";
import { tagsPerRepository, workloadsPerRepository } from "../poll-memory/cluster.ts";

export interface MultipliedApi {
  readonly url: string;
  counts(): ApiRequestCounts;
  close(): Promise<void>;
}

interface List {
  readonly items: readonly { readonly metadata: { readonly uid: string } }[];
}

const multiplied = /\/(deployments|autoupdates)$/;
const tags = { images: 0, tags: tagsPerRepository };

/**
 * Serves the one Deployment and the one AutoUpdate of a small cluster as `workloads` of each, written while they are requested: no machine
 * has to hold them. What else is requested, the small cluster answers.
 */
export async function startMultipliedApi(upstream: string, workloads: number): Promise<MultipliedApi> {
  const counts = { total: 0, lists: 0, writes: 0 };
  const templates = new Map<string, Promise<string>>();
  /** Of the two objects: those of the copies differ. */
  const uids = new Set<string>();

  /** Returns the one object of a list in the representation that is requested. */
  async function templateOf(path: string, accept: string): Promise<string> {
    const response = await fetch(`${upstream}${path}?limit=1`, { headers: { accept } });
    const { items } = (await response.json()) as List;
    if (items.length !== 1) throw new Error(`${path}: has ${items.length} objects, not one`);
    uids.add(items[0]!.metadata.uid);
    return JSON.stringify(items[0]);
  }

  async function readTemplate(path: string, accept: string): Promise<string> {
    const key = `${path} ${accept}`;
    const known = templates.get(key) ?? templateOf(path, accept);
    templates.set(key, known);
    return known;
  }

  function copyOf(template: string, index: number): string {
    const repository = Math.floor(index / workloadsPerRepository);
    const padded = String(index).padStart(5, "0");
    const copy = template
      .replaceAll(repositoryName(0), "bench/REPOSITORY")
      .replaceAll("app-00000", `app-${padded}`)
      .replaceAll("bench/REPOSITORY", repositoryName(repository))
      .replaceAll(expectedTag(0, tags), expectedTag(repository, tags));
    return [...uids].reduce((text, uid) => text.replaceAll(uid, `${uid.slice(0, -padded.length)}${padded}`), copy);
  }

  async function list(path: string, query: URLSearchParams, accept: string): Promise<string> {
    counts.lists += 1;
    await readTemplate(
      path.replace("/apis/pawl.dev/v1alpha1/", "/apis/apps/v1/").replace(/autoupdates$/, "deployments"),
      "application/json",
    );
    const template = await readTemplate(path, accept);
    const start = Number(query.get("continue") ?? 0);
    const end = Math.min(workloads, start + Number(query.get("limit") ?? workloads));
    const items = Array.from({ length: end - start }, (_, offset) => copyOf(template, start + offset));
    const more = end < workloads ? `,"continue":"${end}","remainingItemCount":${workloads - end}` : "";
    return `{"kind":"List","apiVersion":"v1","metadata":{"resourceVersion":"1"${more}},"items":[${items.join(",")}]}`;
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = "", method = "GET", headers } = request;
    const { pathname, searchParams } = new URL(url, "http://localhost");
    if (!pathname.includes("/leases")) counts.total += 1;
    if (method === "GET" && multiplied.test(pathname)) {
      const body = await list(pathname, searchParams, headers.accept ?? "application/json");
      response.writeHead(200, { "content-type": "application/json" }).end(body);
      return;
    }
    if (method !== "GET" && !pathname.includes("/leases")) counts.writes += 1;
    const { accept = "*/*", "content-type": type = "application/json" } = headers;
    const body = method === "GET" ? null : await buffer(request);
    const answer = await fetch(`${upstream}${url}`, { method, headers: { accept, "content-type": type }, body });
    const answered = { "content-type": answer.headers.get("content-type") ?? "application/json" };
    response.writeHead(answer.status, answered).end(Buffer.from(await answer.arrayBuffer()));
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      console.error(error);
      response.destroy();
    });
  });
  const { host, close } = await listen(server);
  return { url: `http://${host}`, counts: () => ({ ...counts }), close };
}
