import { createServer } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { sendNotification } from "../../../functions/adapters/notifications/send.ts";
import { startReceiver } from "../../support/receiver.ts";

const request = {
  kind: "request",
  method: "PUT",
  headers: { "content-type": "application/json", "user-agent": "pawl" },
  body: '{"é":1}',
} as const;

const none = { status: null, retryAfterSeconds: null };

async function receiver(status: number | (() => number)) {
  const started = await startReceiver(status);
  onTestFinished(started.close);
  return started;
}

test("sends the request as it is, and returns the status", async () => {
  const { url, received } = await receiver(204);
  expect(await sendNotification({ ...request, url: `${url}/a?b=c` })).toEqual({ status: 204, retryAfterSeconds: null });
  const { headers, ...rest } = received[0]!;
  expect(rest).toEqual({ method: "PUT", path: "/a?b=c", body: request.body });
  expect(headers).toMatchObject({ "content-type": "application/json", "user-agent": "pawl" });
});

describe("an answer", () => {
  test.for([200, 302, 404, 500])("of %s is returned, and a redirect is not followed", async (status) => {
    const { url, received } = await receiver(status);
    expect(await sendNotification({ ...request, url })).toMatchObject({ status });
    expect(received).toHaveLength(1);
  });

  test("that never ends is a status", async () => {
    const server = createServer((_, response) => void response.writeHead(200).write("x".repeat(100_000)));
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void (server.closeAllConnections(), server.close()));
    const { port } = server.address() as { port: number };
    expect(await sendNotification({ ...request, url: `http://127.0.0.1:${port}` })).toMatchObject({ status: 200 });
  });

  test.for([
    { header: "120", seconds: 120 },
    { header: new Date(0).toUTCString(), seconds: 0 },
    { header: "soon", seconds: null },
  ])("may say when it wants the next request: $header", async ({ header, seconds }) => {
    const server = createServer((_, response) => void response.writeHead(429, { "retry-after": header }).end());
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    const answer = await sendNotification({ ...request, url: `http://127.0.0.1:${port}` });
    expect(answer).toEqual({ status: 429, retryAfterSeconds: seconds });
  });
});

test("an answer that is late is none", async () => {
  const server = createServer(() => undefined);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void (server.closeAllConnections(), server.close()));
  const { port } = server.address() as { port: number };
  expect(await sendNotification({ ...request, url: `http://127.0.0.1:${port}` }, 0.05)).toEqual(none);
});

test("a refused connection, and a broken one, are no answer", async () => {
  const { url, close } = await receiver(200);
  await close();
  expect(await sendNotification({ ...request, url })).toEqual(none);
  const server = createServer((_, response) => void response.destroy());
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  expect(await sendNotification({ ...request, url: `http://127.0.0.1:${port}` })).toEqual(none);
});
