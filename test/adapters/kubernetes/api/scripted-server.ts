import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { KubeConfig } from "@kubernetes/client-node";
import { createKubernetesCluster, type ClusterSettings } from "../../../../functions/adapters/kubernetes/cluster.ts";
import type { Workload } from "../../../../functions/domain/workload/workload.ts";
import type { Cluster } from "../../../../functions/ports/cluster.ts";
import { listen } from "../../../../infra/local/listen.ts";

export interface RecordedRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly accept: string;
  readonly contentType: string;
  readonly body: string;
}

export interface Reply {
  readonly code: number;
  readonly body: string | object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** "hang up" breaks the connection without an answer. */
export type Script = (request: RecordedRequest) => Reply | "hang up" | Promise<Reply | "hang up">;

export interface Scripted extends AsyncDisposable {
  readonly url: string;
  /** Oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** How many connections were opened. */
  connections(): number;
}

/** A server on a free loopback port that answers as its script says. */
export async function startScriptedServer(script: Script): Promise<Scripted> {
  const requests: RecordedRequest[] = [];
  let connections = 0;
  const answer = async (request: IncomingMessage): Promise<Reply | "hang up"> => {
    const { method = "", url = "", headers } = request;
    const own = { accept: headers.accept ?? "", contentType: headers["content-type"] ?? "" };
    const one = { method, path: url, ...own, body: await text(request) };
    requests.push(one);
    return script(one);
  };
  const server = createServer((request, response) => {
    void answer(request).then((reply) => send(reply, response));
  }).on("connection", () => (connections += 1));
  const { host, close } = await listen(server);
  return { url: `http://${host}`, requests, connections: () => connections, [Symbol.asyncDispose]: close };
}

function send(reply: Reply | "hang up", response: ServerResponse): ServerResponse {
  if (reply === "hang up") return response.destroy();
  const { code, body, headers } = reply;
  const written = typeof body === "string" ? body : JSON.stringify(body);
  return response.writeHead(code, { "content-type": "application/json", ...headers }).end(written);
}

export function ok(body: object): Reply {
  return { code: 200, body };
}

export function statusReply(code: number, reason: string, rest: object = {}): Reply {
  return { code, body: { kind: "Status", status: "Failure", code, reason, message: `because of ${reason}`, ...rest } };
}

/** Starts a proxy to another server, which runs `before` ahead of every request. */
export function startProxy(url: string, before: (request: RecordedRequest) => Promise<void> | void = () => undefined) {
  return startScriptedServer(async (request) => {
    await before(request);
    const { method, path, accept, contentType, body } = request;
    const headers = { accept, ...(contentType === "" ? {} : { "content-type": contentType }) };
    const answer = await fetch(`${url}${path}`, { method, headers, ...(body === "" ? {} : { body }) });
    const type = answer.headers.get("content-type") ?? "";
    return { code: answer.status, body: await answer.text(), headers: { "content-type": type } };
  });
}

/** Returns the configuration of a server without TLS, like that of the embedded cluster. */
export function kubeConfigAt(server: string): KubeConfig {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromOptions({
    clusters: [{ name: "scripted", server, skipTLSVerify: true }],
    users: [{ name: "user" }],
    contexts: [{ name: "scripted", cluster: "scripted", user: "user" }],
    currentContext: "scripted",
  });
  return kubeConfig;
}

/** Creates the adapter for a server without TLS. */
export function clusterAt(server: string, settings: Partial<ClusterSettings> = {}): Cluster {
  const kubeConfig = kubeConfigAt(server);
  const now = () => new Date("2026-11-20T12:00:00Z");
  return createKubernetesCluster({
    name: "scripted",
    kubeConfig,
    namespaces: null,
    now,
    warn: () => undefined,
    ...settings,
  });
}

export async function listAll(cluster: Cluster): Promise<readonly Workload[]> {
  const found: Workload[] = [];
  for await (const workload of cluster.list()) found.push(workload);
  return found;
}
