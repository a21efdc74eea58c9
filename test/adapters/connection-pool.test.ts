import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { Agent, type Dispatcher, request } from "undici";
import { expect, test } from "vitest";
import { createConnectionPool } from "../../functions/adapters/connection-pool.ts";

interface Peer extends AsyncDisposable {
  readonly url: string;
  /** Method of each request, oldest first. */
  readonly requests: readonly string[];
  /** How many connections were opened. */
  connections(): number;
}

type Reaction = "answer" | "reset" | "reset within the response";

/** Starts a server that reacts to its n-th request as `reactions` say, and answers after that. */
async function startPeer(reactions: readonly Reaction[]): Promise<Peer> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer(({ method = "", socket }, response) => {
    const reaction = reactions[requests.push(method) - 1] ?? "answer";
    if (reaction === "reset") socket.resetAndDestroy();
    else if (reaction === "answer") response.end("answer");
    else response.writeHead(200, { "content-length": 100 }).write("part", () => socket.resetAndDestroy());
  });
  server.on("connection", (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    connections: () => sockets.size,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

async function send(url: string, pool: () => Dispatcher, method: Dispatcher.HttpMethod = "GET", body?: string) {
  const options = { method, dispatcher: pool(), ...(body === undefined ? {} : { body }) };
  const result = request(url, options).then(async (response) => response.body.text());
  return result.catch((error: Error) => error);
}

test.for([
  { method: "GET", reactions: ["reset"], requests: ["GET", "GET"], isAnswered: true },
  { method: "HEAD", reactions: ["reset"], requests: ["HEAD", "HEAD"], isAnswered: true },
  { method: "GET", reactions: ["reset", "reset"], requests: ["GET", "GET"], isAnswered: false },
  { method: "GET", reactions: ["reset within the response"], requests: ["GET"], isAnswered: false },
  { method: "GET", reactions: ["reset"], body: "text", requests: ["GET"], isAnswered: false },
  { method: "PATCH", reactions: ["reset"], body: "{}", requests: ["PATCH"], isAnswered: false },
  { method: "POST", reactions: ["reset"], body: "{}", requests: ["POST"], isAnswered: false },
  { method: "DELETE", reactions: ["reset"], requests: ["DELETE"], isAnswered: false },
] as const)(
  "$method, then $reactions: sends $requests",
  async ({ method, reactions, requests, isAnswered, ...rest }) => {
    await using peer = await startPeer(reactions);
    const pool = createConnectionPool();
    const result = await send(peer.url, () => pool(() => new Agent()), method, "body" in rest ? rest.body : undefined);
    expect(peer.requests).toEqual(requests);
    expect(result instanceof Error).toBe(!isAnswered);
  },
);

// The peer may have reset all of them; but a host that resets every connection must not cost the others theirs.
test.for([
  { ageMs: 1_000, opened: 2, connections: 4 },
  { ageMs: 999, opened: 1, connections: 3 },
])("after a reset in a pool of $ageMs ms: $opened pools", async ({ ageMs, ...expected }) => {
  await using peer = await startPeer(["answer", "answer", "answer", "reset"]);
  let time = Date.now();
  const pool = createConnectionPool(() => time);
  let opened = 0;
  const open = () => pool(() => (opened++, new Agent()));
  await Promise.all([1, 2, 3].map(async () => send(peer.url, open)));
  time += ageMs;
  expect(await send(peer.url, open)).toBe("answer");
  expect({ opened, connections: peer.connections() }).toEqual(expected);
});

test.for([
  { idleMs: 4_000, pools: 1 },
  { idleMs: 4_001, pools: 2 },
])("a request $idleMs ms after the last one: $pools pools", async ({ idleMs, pools }) => {
  await using peer = await startPeer([]);
  let now = 0;
  let opened = 0;
  const pool = createConnectionPool(() => now);
  const open = () => pool(() => (opened++, new Agent()));
  expect(await send(peer.url, open)).toBe("answer");
  now += idleMs;
  expect(await send(peer.url, open)).toBe("answer");
  expect(opened).toBe(pools);
});

test("a request in progress completes if its pool is replaced", async () => {
  await using peer = await startPeer([]);
  let now = 0;
  const pool = createConnectionPool(() => now);
  const open = () => pool(() => new Agent());
  const first = send(peer.url, open);
  now += 5_000;
  expect(await Promise.all([first, send(peer.url, open)])).toEqual(["answer", "answer"]);
});
