import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { createStreams, type Streams } from "../../../cli/dashboard/server/stream.ts";

/** Creates a response that is written to nobody, in the streams of the sessions at two logins. */
function openAtTwoLogins() {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
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
  const streams: Streams = createStreams();
  streams.close();
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  streams.open(response, []);
  expect([response.writableEnded, streams.isOpen()]).toEqual([true, false]);
});
