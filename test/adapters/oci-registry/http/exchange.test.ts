import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate } from "node:timers/promises";
import { Agent, Dispatcher } from "undici";
import { expect, onTestFinished, test } from "vitest";
import { type OnChunk, startExchange } from "../../../../functions/adapters/oci-registry/http/exchange.ts";

const chunks = ["one ", "two ", "three"];

/** Sends a response when the test says so, and waits while it is paused. */
class ScriptedDispatcher extends Dispatcher {
  readonly calls: string[] = [];
  #handler: Dispatcher.DispatchHandler = {};

  override dispatch(_options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    this.#handler = handler;
    return true;
  }

  async answer(status: number): Promise<void> {
    let resumed = Promise.withResolvers<void>();
    resumed.resolve();
    let reason: Error | null = null;
    const controller = {
      aborted: false,
      paused: false,
      reason,
      abort: (error: Error) => {
        this.calls.push(`abort: ${error.message}`);
        reason = error;
      },
      pause: () => {
        this.calls.push("pause");
        resumed = Promise.withResolvers();
      },
      resume: () => {
        this.calls.push("resume");
        resumed.resolve();
      },
    };
    this.#handler.onRequestStart?.(controller, null);
    if (reason === null) this.#handler.onResponseStart?.(controller, status, { etag: "1" });
    for (const chunk of chunks) {
      await resumed.promise;
      if (reason !== null) return this.#handler.onResponseError?.(controller, reason);
      this.calls.push(chunk.trim());
      this.#handler.onResponseData?.(controller, Buffer.from(chunk));
    }
    this.#handler.onResponseEnd?.(controller, {});
  }
}

function start(onChunk: OnChunk) {
  const dispatcher = new ScriptedDispatcher();
  const options = { origin: "http://registry.example", path: "/", method: "GET" } as const;
  const { response, cancel } = startExchange(dispatcher, options, onChunk);
  const body = response.then(({ status, headers, ...rest }) => [
    status,
    headers["etag"],
    String(Buffer.concat(rest.chunks)),
  ]);
  return { dispatcher, body, cancel };
}

test("a response has the chunks that were received", async () => {
  const { dispatcher, body } = start(() => undefined);
  await dispatcher.answer(200);
  expect(await body).toEqual([200, "1", "one two three"]);
  expect(dispatcher.calls).toEqual(["one", "two", "three"]);
});

test("no chunk is received before what the last one waits for", async () => {
  const waits = Promise.withResolvers<void>();
  const { dispatcher, body } = start((_bytes, status) => (status === 200 ? waits.promise : undefined));
  const answered = dispatcher.answer(200);
  await setImmediate();
  expect(dispatcher.calls).toEqual(["one", "pause"]);
  waits.resolve();
  await answered;
  expect(dispatcher.calls).toEqual(["one", "pause", "resume", "two", "pause", "resume", "three", "pause", "resume"]);
  expect(await body).toEqual([200, "1", "one two three"]);
});

test("what is not needed is not received", async () => {
  const { dispatcher, body } = start(() => "enough");
  await dispatcher.answer(404);
  expect(await body).toEqual([404, "1", "one "]);
  expect(dispatcher.calls).toEqual(["one", "abort: the rest is not needed"]);
});

test("one that is cancelled fails at once, and is aborted when its turn comes", async () => {
  const { dispatcher, body, cancel } = start(() => undefined);
  cancel(new Error("late"));
  await expect(body).rejects.toThrow("late");
  await dispatcher.answer(200);
  expect(dispatcher.calls).toEqual(["abort: late"]);
});

// undici then has an empty chunk each time that it resumes.
test("a registry that sends nothing for a while after a pause delivers nothing", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const agent = new Agent();
  onTestFinished(async () => {
    await agent.destroy();
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const received: number[] = [];
  const { response } = startExchange(agent, { origin, path: "/", method: "GET" }, async (bytes) => {
    received.push(bytes);
    if (received.length > 1000) throw new Error("too many chunks");
  });
  const [, answer] = (await once(server, "request")) as [unknown, ServerResponse];
  answer.setHeader("content-length", chunks.join("").length);
  for (const chunk of chunks) {
    answer.write(chunk);
    while (received.length < chunks.indexOf(chunk) + 1) await setImmediate();
    for (let turn = 0; turn < 10; turn += 1) await setImmediate();
  }
  answer.end();
  expect(String(Buffer.concat((await response).chunks))).toBe(chunks.join(""));
  expect(received).toEqual(chunks.map(({ length }) => length));
});

test("it fails with what a wait for the next chunk fails with", async () => {
  const { dispatcher, body } = start(() => Promise.reject(new Error("evicted")));
  const answered = dispatcher.answer(200);
  await expect(body).rejects.toThrow("evicted");
  expect(dispatcher.calls).toEqual(["one", "pause", "abort: evicted"]);
  void answered;
});
