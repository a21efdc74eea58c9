import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { createStreams, maxStreams } from "../../../cli/dashboard/server/stream.ts";

const createResponse = () => new ServerResponse(new IncomingMessage(new Socket()));

/** Opens a response that is sent to nobody in the streams of the sessions at two logins. */
function openAtTwoLogins() {
  const response = createResponse();
  const [first, second] = [createStreams(), createStreams()] as const;
  first.open(response, []);
  second.add(response);
  const written: unknown[] = [];
  const write = response.write.bind(response);
  response.write = (text: string) => written.push(text) > 0 && write(text);
  return { response, first, second, written };
}

const pools = { kind: "pools", cluster: "staging" } as const;

test.for<[ended: string, end: (opened: ReturnType<typeof openAtTwoLogins>) => void]>([
  ["its first session ends", ({ first }) => first.close()],
  ["its second session ends", ({ second }) => second.close()],
  ["both end", ({ first, second }) => [first, second].forEach((one) => one.close())],
  ["its client disconnects", ({ response }) => void response.destroy()],
])("nothing is written to a stream after %s", async ([, end]) => {
  const opened = openAtTwoLogins();
  const { response, first, second, written } = opened;
  first.publish(pools);
  second.publish(pools);
  expect(written).toHaveLength(2);
  end(opened);
  for (const streams of [first, second]) streams.publish(pools);
  await setImmediate();
  expect(written).toHaveLength(2);
  expect([first, second].map((streams) => streams.isOpen())).toEqual([false, false]);
  // It would end the process if nobody heard it.
  expect(response.emit("error", new Error("write EPIPE"))).toBe(true);
});

test("a stream of a session that has ended meanwhile ends", () => {
  const streams = createStreams();
  streams.close();
  const response = createResponse();
  streams.open(response, []);
  expect([response.writableEnded, streams.isOpen()]).toEqual([true, false]);
});

test("a client that has gone before its stream was opened is not kept", () => {
  const streams = createStreams();
  const response = createResponse();
  response.destroy();
  streams.open(response, []);
  streams.add(response);
  expect(streams.isOpen()).toBe(false);
});

test("a session has a limited number of streams", () => {
  const streams = createStreams();
  const responses = Array.from({ length: maxStreams + 1 }, createResponse);
  for (const response of responses) streams.open(response, []);
  expect(responses.map(({ statusCode }) => statusCode).indexOf(429)).toBe(maxStreams);
  const added = createResponse();
  streams.add(added);
  expect([responses.at(-1), responses.at(-2), added].map((one) => one?.writableEnded)).toEqual([true, false, true]);
  responses[0]?.destroy();
  const next = createResponse();
  streams.publish(pools);
  streams.open(next, []);
  expect([next.statusCode, next.writableEnded]).toEqual([200, false]);
});
