import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { Socket } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { listen } from "../../infra/local/listen.ts";

const program = fileURLToPath(new URL("frozen-process.ts", import.meta.url));

const maxIdleMs = 200;

/**
 * Starts an API server and registry in one. It answers the first request of a connection that was idle by a reset, as NAT gateways
 * and load balancers do.
 */
async function startPeer() {
  const lastUsed = new WeakMap<Socket, number>();
  let resets = 0;
  const server = createServer((request, response) => {
    const { socket, url = "", method } = request.resume();
    if (performance.now() - (lastUsed.get(socket) ?? performance.now()) > maxIdleMs) {
      resets += 1;
      socket.resetAndDestroy();
      return;
    }
    lastUsed.set(socket, performance.now());
    const isRegistry = url.startsWith("/v2/");
    const body = isRegistry ? { name: "team/app", tags: ["1.0.0"] } : { metadata: { name: "event" } };
    response.writeHead(method === "GET" && !isRegistry ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  });
  server.keepAliveTimeout = 600_000;
  const { host, close } = await listen(server);
  return { host, resets: () => resets, [Symbol.asyncDispose]: close };
}

function startFrozenProcess(host: string) {
  const child = spawn(process.execPath, [program, host], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    child,
    poll: (calls: string) => child.stdin.write(`${calls}\n`),
    result: async () => JSON.parse((await lines.next()).value as string) as unknown,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

/** Resumes the process with its next input already there. */
async function freeze(
  { child, poll }: ReturnType<typeof startFrozenProcess>,
  ms: number,
  calls: string,
): Promise<void> {
  child.kill("SIGSTOP");
  await wait(ms);
  poll(calls);
  child.kill("SIGCONT");
}

test("polls succeed although the peer resets idle connections", { timeout: 60_000 }, async () => {
  await using peer = await startPeer();
  await using frozen = startFrozenProcess(peer.host);
  const results: unknown[] = [];
  frozen.poll("read registry");
  for (let poll = 1; poll <= 6; poll += 1) {
    results.push(await frozen.result());
    if (poll < 6) await freeze(frozen, maxIdleMs * 2, "read registry");
  }
  expect(results).toEqual(Array.from({ length: 6 }, () => ({ read: "ok", registry: "ok" })));
  expect(peer.resets()).toBeGreaterThan(0);
});

test("after a long freeze even the first write succeeds, without a reset", { timeout: 60_000 }, async () => {
  await using peer = await startPeer();
  await using frozen = startFrozenProcess(peer.host);
  frozen.poll("write");
  const first = await frozen.result();
  await freeze(frozen, 4_500, "write");
  expect([first, await frozen.result()]).toEqual([{ write: "ok" }, { write: "ok" }]);
  expect(peer.resets()).toBe(0);
});
