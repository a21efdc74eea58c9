import { spawn } from "node:child_process";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { fileURLToPath } from "node:url";
import { proxyEnvironment } from "../../infra/constructs/functions/environment.ts";

const clientProgram = fileURLToPath(new URL("https-client.ts", import.meta.url));

export interface RequestResults {
  /** The result of each request, in order. */
  readonly results: readonly string[];
  /** The targets of the requests that the proxy received. */
  readonly proxied: readonly string[];
}

export interface ProxyEnvironment {
  /** `0.0.0.0:PORT`: connects to localhost, needs no DNS, and is not in the default NO_PROXY. */
  readonly host: string;
  readonly port: number;
  send(requests: readonly string[], noProxy: readonly string[], more?: NodeJS.ProcessEnv): Promise<RequestResults>;
  close(): void;
}

/** Starts a server, and a proxy that forwards all requests to it. */
export async function startProxyServer(): Promise<ProxyEnvironment> {
  const server = createServer((request, response) => {
    response.setHeader("Content-Type", "application/json").end(`{"by":"${request.headers.host}"}`);
  });
  const port = await listen(server);
  let proxied: string[] = [];
  const proxy = createServer((request, response) => {
    proxied.push(request.url ?? "");
    response.end();
  });
  proxy.on("connect", ({ url = "" }, client) => {
    proxied.push(url);
    const upstream = connect(port, "127.0.0.1", () => client.write("HTTP/1.1 200 Connected\r\n\r\n"));
    client.pipe(upstream).pipe(client);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      one.on("error", () => other.destroy());
  });
  const url = `http://127.0.0.1:${await listen(proxy)}`;

  return {
    host: `0.0.0.0:${port}`,
    port,
    async send(requests, noProxy, more = {}) {
      proxied = [];
      const environment = { ...proxyEnvironment({ url, noProxy }), ...more };
      return { results: await runClient(requests, environment), proxied };
    },
    close: () => [server, proxy].forEach((one) => one.close().closeAllConnections()),
  };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

/** Sends the requests from a child process, because Node.js reads the proxy variables at startup. */
async function runClient(requests: readonly string[], env: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const child = spawn(process.execPath, [clientProgram, ...requests], { env, stdio: ["ignore", "pipe", "inherit"] });
  child.stdout.setEncoding("utf8");
  let printed = "";
  child.stdout.on("data", (text: string) => (printed += text));
  await new Promise((resolve) => child.on("close", resolve));
  return printed.trim().split("\n");
}
