import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Agent, request as httpsRequest } from "node:https";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { KubeConfig } from "@kubernetes/client-node";
import { stringify } from "yaml";

/** A request that is to change something. */
export interface Write {
  readonly method: string;
  readonly path: string;
  /** JSON; null where there is none. */
  readonly body: unknown;
}

/** Told of every write, in the course of it. Where one answers false, the connection is broken off there and then. */
export interface Onlooker {
  /** Nothing at all is passed on until then. */
  readonly opens: Promise<void>;
  /** Before the server hears of it. */
  before(write: Write): Promise<boolean>;
  /** Once the server has done it, and before who asked for it hears of that. Not told of what the server refused. */
  after(write: Write): Promise<boolean>;
}

export interface WriteProxy {
  /** Of the same user, by way of the proxy. */
  readonly kubeconfig: string;
  /** Waits for the answers of the server that are still to come. */
  close(): Promise<void>;
}

interface Answer {
  readonly message: IncomingMessage;
  readonly body: Buffer;
}

/** A reverse proxy on loopback before the API server of `kubeConfig`, whose user has a token. */
export async function startWriteProxy(kubeConfig: KubeConfig, onlooker: Onlooker): Promise<WriteProxy> {
  const cluster = kubeConfig.getCurrentCluster();
  const ca = Buffer.from(cluster?.caData ?? "", "base64");
  const agent = new Agent({ keepAlive: true, ca });

  async function ask({ method, url, headers }: IncomingMessage, body: Buffer): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const options = {
      agent,
      method: method ?? "GET",
      headers: { ...headers, host: new URL(cluster?.server ?? "").host },
    };
    const outgoing = httpsRequest(new URL(url ?? "/", cluster?.server), options, (message) => {
      buffer(message).then((answer) => resolve({ message, body: answer }), reject);
    });
    outgoing.on("error", reject).end(body);
    return promise;
  }

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    await onlooker.opens;
    const write = writeOf(incoming, body);
    if (write !== null && !(await onlooker.before(write))) return void outgoing.destroy();
    const answer = await ask(incoming, body);
    const { statusCode = 502, headers } = answer.message;
    if (write !== null && statusCode < 300 && !(await onlooker.after(write))) return void outgoing.destroy();
    const { "transfer-encoding": _, ...rest } = headers;
    outgoing.writeHead(statusCode, { ...rest, "content-length": answer.body.length }).end(answer.body);
  }

  const passing = new Set<Promise<void>>();
  const server = createServer((incoming, outgoing) => {
    const passed = pass(incoming, outgoing)
      .catch(() => void outgoing.destroy())
      .finally(() => passing.delete(passed));
    passing.add(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    kubeconfig: kubeconfigOf(`http://127.0.0.1:${port}`, kubeConfig.getCurrentUser()?.token ?? ""),
    async close() {
      await Promise.all(passing);
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function writeOf({ method = "GET", url = "/" }: IncomingMessage, body: Buffer): Write | null {
  if (method === "GET") return null;
  return { method, path: url, body: body.length === 0 ? null : (JSON.parse(body.toString()) as unknown) };
}

function kubeconfigOf(server: string, token: string): string {
  return stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "proxy",
    // The client takes no http without it.
    clusters: [{ name: "proxy", cluster: { server, "insecure-skip-tls-verify": true } }],
    users: [{ name: "admin", user: { token } }],
    contexts: [{ name: "proxy", context: { cluster: "proxy", user: "admin" } }],
  });
}
