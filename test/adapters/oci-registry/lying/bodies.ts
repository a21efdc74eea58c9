import { gzipSync } from "node:zlib";
import { json } from "../scripted.ts";
import { endlessly, type Lie, raw, text, whole } from "./lie.ts";

const ok = "HTTP/1.1 200 OK";
// All of it is one valid listing once it is unpacked.
const bomb = gzipSync(`{"tags":["1.0.0"]${" ".repeat(20_000_000)}}`);

/** Lies in the answer itself, and answers that never become one. */
export const liesInBodies: readonly Lie[] = [
  {
    when: "it answers 200 with a login page",
    promise: "RegistryAnswerInvalid",
    lies: (response) => text(response, "<html>Please sign in</html>", { "content-type": "text/html" }),
  },
  { when: "it answers 200 with nothing", promise: "RegistryAnswerInvalid", lies: (response) => text(response, "") },
  { when: "it answers 204", promise: "RegistryAnswerInvalid", lies: (response) => text(response, "", {}, 204) },
  { when: "it answers 206", promise: "RegistryAnswerInvalid", lies: (response) => json(response, whole, {}, 206) },
  {
    when: "its JSON is cut short",
    promise: "RegistryAnswerInvalid",
    lies: (response) => text(response, '{"tags":["1.0.0","1.1.0"'),
  },
  {
    when: "more follows its JSON",
    promise: "RegistryAnswerInvalid",
    lies: (response) => text(response, `${JSON.stringify(whole)}{"tags":["9.9.9"]}`),
  },
  {
    when: "its JSON is not UTF-8",
    promise: "RegistryAnswerInvalid",
    lies: (response) => response.writeHead(200).end(Buffer.from('{"tags":["1.0.0\xff"]}', "latin1")),
  },
  {
    when: "its JSON is a deep hole",
    promise: "RegistryAnswerInvalid",
    lies: (response) => text(response, "[".repeat(19_000)),
  },
  {
    when: "an error comes with 200",
    promise: "RegistryAnswerInvalid",
    lies: (response) => json(response, { errors: [{ code: "DENIED" }] }),
  },
  {
    when: "tags are not texts",
    promise: "RegistryAnswerInvalid",
    lies: (response) => json(response, { tags: ["1.0.0", { toString: "9.9.9" }, 9] }),
  },
  {
    when: "tags are an object",
    promise: "RegistryAnswerInvalid",
    lies: (response) => json(response, { tags: { length: 1, 0: "9.9.9" } }),
  },
  {
    when: "a tag has control characters",
    promise: "RegistryAnswerInvalid",
    lies: (response) => json(response, { tags: ["1.0.0", "9.9.9\u001b[2J\r\n"] }),
  },
  {
    when: "a tag looks like a version and is another",
    promise: "RegistryAnswerInvalid",
    lies: (response) => json(response, { tags: ["1.0.0", "９.9.9"] }),
  },
  {
    when: "a tag is longer than tags are",
    promise: "RegistryAnswerInvalid",
    lies: (response) => json(response, { tags: ["1".repeat(129)] }),
  },
  {
    when: "a tag has ten megabytes",
    promise: "RegistryAnswerInvalid",
    lies: (response) => json(response, { tags: ["1".repeat(10_000_000)] }),
  },
  {
    when: "its body never ends",
    promise: "RegistryAnswerInvalid",
    lies: (response) => endlessly(response.writeHead(200), '"1.0.0",'.repeat(1000), 1),
  },
  {
    when: "its body is small until it is unpacked",
    promise: "RegistryAnswerInvalid",
    lies: (response) => response.writeHead(200, { "content-encoding": "gzip" }).end(bomb),
  },
  {
    when: "its body is not packed as it says",
    promise: "Unreachable",
    lies: (response) => text(response, JSON.stringify(whole), { "content-encoding": "gzip" }),
  },
  {
    when: "its body comes drop by drop",
    promise: "Unreachable",
    lies: (response) => endlessly(response.writeHead(200), " ", 5),
  },
  { when: "its body stalls", promise: "Unreachable", lies: (response) => response.writeHead(200).write('{"tags":[') },
  { when: "it does not answer", promise: "Unreachable", lies: () => undefined },
  {
    when: "its headers stall",
    promise: "Unreachable",
    lies: (response) => response.socket?.write(`${ok}\r\ncontent-type: app`),
  },
  { when: "it does not speak HTTP", promise: "Unreachable", lies: (response) => raw(response, "220 mail ready", "") },
  { when: "it hangs up", promise: "Unreachable", lies: (response) => response.destroy() },
  {
    when: "it hangs up in the middle",
    promise: "Unreachable",
    lies: (response) => response.writeHead(200).write('{"tags":["1.0.0"', () => response.socket?.resetAndDestroy()),
  },
  {
    when: "it promises more bytes than come",
    promise: "Unreachable",
    lies: (response) => raw(response, ok, "content-length: 900", "", JSON.stringify(whole)),
  },
  {
    when: "it promises fewer bytes than come, and those that it promised make no listing",
    promise: "RegistryAnswerInvalid",
    lies: (response) => raw(response, ok, "content-length: 16", "", JSON.stringify(whole)),
  },
  {
    when: "a second answer follows the first unasked",
    promise: ["1.0.0"],
    lies: (response) => {
      const answer = (body: string) => [ok, `content-length: ${body.length}`, "", body].join("\r\n");
      raw(response, answer('{"tags":["1.0.0"]}') + answer('{"tags":["9.9.9"]}'));
    },
  },
];
