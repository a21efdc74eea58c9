import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { Socket } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { listen } from "../../infra/local/listen.ts";

const program = fileURLToPath(new URL("frozen-process.ts", import.meta.url));

interface PeerOptions {
  /** After which it drops a connection. */
  readonly maxIdleMs: number;
  /** How the first request of a dropped connection is answered: by a reset, or never. */
  readonly drops: "with a reset" | "silently";
}

/**
 * Starts an API server and registry in one. It drops idle connections, as NAT gateways and load balancers do: without notice, so
 * that a client finds out at its next request.
 */
export async function startPeer({ maxIdleMs, drops }: PeerOptions) {
  const lastUsed = new WeakMap<Socket, number>();
  let dropped = 0;
  let connections = 0;
  const server = createServer((request, response) => {
    const { socket, url = "", method } = request.resume();
    if (performance.now() - (lastUsed.get(socket) ?? performance.now()) > maxIdleMs) {
      dropped += 1;
      if (drops === "with a reset") socket.resetAndDestroy();
      return;
    }
    lastUsed.set(socket, performance.now());
    const isRegistry = url.startsWith("/v2/");
    const body = isRegistry ? { name: "team/app", tags: ["1.0.0"] } : { metadata: { name: "event" } };
    response.writeHead(method === "GET" && !isRegistry ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  }).on("connection", () => (connections += 1));
  server.keepAliveTimeout = 600_000;
  const { host, close } = await listen(server);
  return { host, dropped: () => dropped, connections: () => connections, [Symbol.asyncDispose]: close };
}

/** Starts a process with the adapters, which makes the calls that it is sent. */
export function startFrozenProcess(host: string) {
  const child = spawn(process.execPath, [program, host], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const call = (calls: string) => child.stdin.write(`${calls}\n`);
  return {
    call,
    result: async () => JSON.parse((await lines.next()).value as string) as unknown,
    /** Resumes the process with its next calls already there. */
    async freeze(ms: number, calls: string): Promise<void> {
      child.kill("SIGSTOP");
      await wait(ms);
      call(calls);
      child.kill("SIGCONT");
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}
