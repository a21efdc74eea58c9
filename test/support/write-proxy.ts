import {
  Agent as HttpAgent,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { Agent, request as httpsRequest } from "node:https";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { KubeConfig } from "@kubernetes/client-node";
import { stringify } from "yaml";

/** A request that changes an object. */
export interface Write {
  readonly method: string;
  readonly path: string;
  /** JSON; null if the request has no body. */
  readonly body: unknown;
}

/** Called for every write. The proxy closes the connection at once if a call returns false. */
export interface Onlooker {
  /** The proxy forwards nothing before this resolves. */
  readonly opens: Promise<void>;
  /** Called before the write is forwarded. */
  before(write: Write): Promise<boolean>;
  /** Called after the server accepted the write and before the client gets the response. Not called for rejected writes. */
  after(write: Write): Promise<boolean>;
}

export interface WriteProxy {
  /** For the same user, through the proxy. */
  readonly kubeconfig: string;
  /** Waits for pending responses of the server. */
  close(): Promise<void>;
}

interface Answer {
  readonly message: IncomingMessage;
  readonly body: Buffer;
}

/** Starts a reverse proxy on loopback for the API server of `kubeConfig`, whose user has a token. */
export async function startWriteProxy(kubeConfig: KubeConfig, onlooker: Onlooker): Promise<WriteProxy> {
  const cluster = kubeConfig.getCurrentCluster();
  const ca = Buffer.from(cluster?.caData ?? "", "base64");
  const isPlain = cluster?.server.startsWith("http:") ?? false;
  const agent = isPlain ? new HttpAgent({ keepAlive: true }) : new Agent({ keepAlive: true, ca });
  const send = isPlain ? httpRequest : httpsRequest;

  async function ask({ method, url, headers }: IncomingMessage, body: Buffer): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const options = {
      agent,
      method: method ?? "GET",
      headers: { ...headers, host: new URL(cluster?.server ?? "").host },
    };
    const outgoing = send(new URL(url ?? "/", cluster?.server), options, (message) => {
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
    // Required by the client for http.
    clusters: [{ name: "proxy", cluster: { server, "insecure-skip-tls-verify": true } }],
    users: [{ name: "admin", user: { token } }],
    contexts: [{ name: "proxy", context: { cluster: "proxy", user: "admin" } }],
  });
}
