import { readFile, writeFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { parse, stringify } from "yaml";

interface KubeConfig {
  readonly clusters: readonly { readonly cluster: { server: string } }[];
}

/** What stands between the page and an API server, so that a test can deny, delay or end what it answers. */
export interface ApiServerProxy {
  readonly kubeconfig: string;
  /** Denies each request for a namespace, as RBAC does. */
  deny(namespace: string): void;
  /** Ends all connections, and each new one at once, until `start`. */
  stop(): void;
  start(): void;
  close(): void;
}

/** Puts a proxy before the API server of a kubeconfig, and writes a kubeconfig for it beside that. */
export async function openApiServerProxy(kubeconfig: string): Promise<ApiServerProxy> {
  const config = parse(await readFile(kubeconfig, "utf8")) as KubeConfig;
  const target = new URL(config.clusters[0]?.cluster.server ?? "");
  const denied = new Set<string>();
  let isStopped = false;
  const server = createServer((incoming, outgoing) => {
    const { url = "/", method, headers } = incoming;
    const namespace = [...denied].find((name) => url.includes(`/namespaces/${name}/`));
    if (namespace !== undefined) {
      const message = `${url.split("?")[0]?.split("/").at(-1)} is forbidden: User "viewer" cannot list resource in the namespace "${namespace}"`;
      outgoing.writeHead(403, { "content-type": "application/json" });
      return void outgoing.end(
        JSON.stringify({ kind: "Status", status: "Failure", reason: "Forbidden", code: 403, message }),
      );
    }
    const forwarded = request({ host: target.hostname, port: target.port, path: url, method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on("error", () => outgoing.destroy());
    outgoing.on("close", () => forwarded.destroy());
    return void incoming.pipe(forwarded);
  });
  server.on("connection", (socket) => {
    if (isStopped) socket.destroy();
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const { cluster } of config.clusters) cluster.server = url;
  const path = `${kubeconfig}-proxy`;
  await writeFile(path, stringify(config));
  return {
    kubeconfig: path,
    deny: (namespace) => void denied.add(namespace),
    stop() {
      isStopped = true;
      server.closeAllConnections();
    },
    start() {
      isStopped = false;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
