import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { sendNotification } from "../../../functions/adapters/notifications/send.ts";
import type { WebhookTarget } from "../../../functions/domain/notification/target.ts";
import { deliver } from "../../../functions/workflows/notify/deliver.ts";
import { rolledBack } from "../../domain/notification/events.ts";
import { startReceiver } from "../../support/receiver.ts";

const secret = "s3cret";
const start = new Date();

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Returns the address of a receiver that answers like this, and how many requests it had. */
async function receive(answer: Answer) {
  const requests = { count: 0 };
  const server = createServer((request, response) => {
    requests.count += 1;
    answer(request, response);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void (server.closeAllConnections(), server.close()));
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}/x`, requests };
}

/** Notifies a webhook whose address and header contain the secret. An attempt lasts at most half a second. */
async function notify(address: string) {
  const target: WebhookTarget = {
    kind: "webhook",
    name: "on-call",
    url: `${address}?key={{secret}}`,
    method: "POST",
    headers: { Authorization: "Bearer {{secret}}" },
    body: null,
    grouped: false,
    on: "all",
    events: null,
    namespaces: null,
    workloads: null,
    onlyNamed: false,
  };
  const slept: number[] = [];
  const notifications = {
    target: async () => target,
    readSecret: async () => secret,
    send: (request: Parameters<typeof sendNotification>[0]) => sendNotification(request, 0.5),
    sleep: async (seconds: number) => void slept.push(seconds),
    pause: async () => {},
    pausedUntil: async () => null,
  };
  const ended = await deliver({ notifications, now: () => start }, target, [rolledBack], start).catch(
    (error: Error) => error,
  );
  return { ended, slept, text: ended instanceof Error ? `${ended.stack} ${JSON.stringify(ended)}` : "" };
}

describe("a delivery fails after three attempts, in bounded time, without the secret in its error", () => {
  const trickle: Answer = (_, response) => {
    const write = async () => {
      while (!response.destroyed) {
        response.socket?.write("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n");
        await setTimeout(20);
      }
    };
    void write().catch(() => undefined);
  };

  test.for<{ when: string; answer: Answer; reason: string }>([
    { when: "never answers", answer: () => undefined, reason: "no answer in attempt 3" },
    {
      when: "answers 200 after five minutes",
      answer: (_, response) => void setTimeout(300_000, null, { ref: false }).then(() => response.end()),
      reason: "no answer in attempt 3",
    },
    {
      when: "resets the connection",
      answer: (_, response) => void response.socket?.resetAndDestroy(),
      reason: "no answer",
    },
    {
      when: "repeats the address in a failure",
      answer: (request, response) => void response.writeHead(500, request.url).end(request.headers.authorization),
      reason: "HTTP status 500 in attempt 3",
    },
    {
      when: "sends more headers than fit",
      answer: (_, response) => void response.writeHead(200, { "x-long": "x".repeat(100_000) }).end(),
      reason: "no answer in attempt 3",
    },
    {
      when: "speaks another protocol",
      answer: (_, response) => void response.socket?.end("220 mail.example.com ESMTP\r\n"),
      reason: "no answer in attempt 3",
    },
    {
      when: "switches the protocol",
      answer: (_, response) => void response.socket?.end("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"),
      reason: "no answer in attempt 3",
    },
    { when: "sends interim answers only", answer: trickle, reason: "no answer in attempt 3" },
  ])("if the receiver $when", async ({ answer, reason }) => {
    const { url, requests } = await receive(answer);
    const { ended, slept, text } = await notify(url);
    expect(ended).toMatchObject({ name: "NotificationFailed", message: expect.stringContaining(reason) as string });
    expect([requests.count, slept]).toEqual([3, [1, 5]]);
    expect(text).not.toContain(secret);
  });
});

test("a receiver that is busy for an hour is not asked again in the meantime", async () => {
  const { url, requests } = await receive(
    (_, response) => void response.writeHead(429, { "retry-after": "3600" }).end("slow down"),
  );
  const { ended, slept } = await notify(url);
  expect(ended).toMatchObject({ message: expect.stringContaining("HTTP status 429 in attempt 1") as string });
  expect([requests.count, slept]).toEqual([1, []]);
});

describe("a delivery succeeds with the status 2xx, whatever follows it", () => {
  test.for<{ what: string; rest: (response: ServerResponse) => void }>([
    {
      what: "a body without an end",
      rest(response) {
        const write = () => void (response.destroyed || response.write("x".repeat(65_536), write));
        write();
      },
    },
    {
      what: "a body that is reset",
      rest: (response) => void response.write("x", () => response.socket?.resetAndDestroy()),
    },
    { what: "a body that never comes", rest: (response) => response.flushHeaders() },
  ])("$what", async ({ rest }) => {
    const { url, requests } = await receive((_, response) => {
      response.writeHead(200, { "content-length": String(10 ** 9) });
      rest(response);
    });
    expect((await notify(url)).ended).toBeUndefined();
    expect(requests.count).toBe(1);
  });
});

test.for([301, 302, 303, 307, 308])(
  "a redirect (%s) to another host gets neither the secret nor a request",
  async (status) => {
    const other = await startReceiver();
    onTestFinished(other.close);
    const { url, requests } = await receive(
      (_, response) => void response.writeHead(status, { location: other.url, refresh: `0; url=${other.url}` }).end(),
    );
    const { ended, text } = await notify(url);
    expect(ended).toMatchObject({ name: "NotificationFailed" });
    expect([requests.count, other.received, text.includes(secret)]).toEqual([3, [], false]);
  },
);
