import { spawn } from "node:child_process";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { fileURLToPath } from "node:url";
import { proxyEnvironment } from "../../infra/constructs/environment.ts";

const asking = fileURLToPath(new URL("asking.ts", import.meta.url));

export interface Asked {
  /** What each request came to, in the order of their names. */
  readonly answers: readonly string[];
  /** Where the proxy was told to connect to. */
  readonly proxied: readonly string[];
}

export interface Place {
  /** `0.0.0.0:PORT`: reaches this machine, is no name that has to be looked up, and is not among what is always excepted. */
  readonly here: string;
  readonly port: number;
  ask(requests: readonly string[], except: readonly string[], more?: NodeJS.ProcessEnv): Promise<Asked>;
  close(): void;
}

/** A server, and a proxy that leads to it whatever host it is asked for. */
export async function openPlace(): Promise<Place> {
  const server = createServer((request, response) => {
    response.setHeader("Content-Type", "application/json").end(`{"by":"${request.headers.host}"}`);
  });
  const port = await listening(server);
  let proxied: string[] = [];
  const proxy = createServer((request, response) => {
    proxied.push(request.url ?? "");
    response.end();
  });
  proxy.on("connect", ({ url = "" }, client) => {
    proxied.push(url);
    const onwards = connect(port, "127.0.0.1", () => client.write("HTTP/1.1 200 Connected\r\n\r\n"));
    client.pipe(onwards).pipe(client);
    for (const [one, other] of [
      [client, onwards],
      [onwards, client],
    ] as const)
      one.on("error", () => other.destroy());
  });
  const url = `http://127.0.0.1:${await listening(proxy)}`;

  return {
    here: `0.0.0.0:${port}`,
    port,
    async ask(requests, except, more = {}) {
      proxied = [];
      const environment = { ...proxyEnvironment({ url, except }), ...more };
      return { answers: await answersTo(requests, environment), proxied };
    },
    close: () => [server, proxy].forEach((one) => one.close().closeAllConnections()),
  };
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

/** Asked by a process of its own: Node.js reads these variables when it starts, as it does in a Lambda. */
async function answersTo(requests: readonly string[], env: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const child = spawn(process.execPath, [asking, ...requests], { env, stdio: ["ignore", "pipe", "inherit"] });
  child.stdout.setEncoding("utf8");
  let printed = "";
  child.stdout.on("data", (text: string) => (printed += text));
  await new Promise((resolve) => child.on("close", resolve));
  return printed.trim().split("\n");
}
