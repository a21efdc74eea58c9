import { gzipSync } from "node:zlib";
import { json } from "../scripted-server.ts";
import { writeForever, type HostileCase, writeRaw, sendText, completeList } from "./case.ts";

const ok = "HTTP/1.1 200 OK";
const gzipHeaders = { "content-encoding": "gzip" };
const gzipStart = Buffer.from("1f8b0800000000000003", "hex");
const emptyBlocks = Buffer.from("000000ffff".repeat(1000), "hex");
// Decompressed, it is one valid tag list.
const bomb = gzipSync(`{"tags":["1.0.0"]${" ".repeat(20_000_000)}}`);

/** Hostile, invalid and incomplete response bodies. */
export const bodyCases: readonly HostileCase[] = [
  {
    when: "it answers 200 with a login page",
    expected: "RegistryAnswerInvalid",
    respond: (response) => sendText(response, "<html>Please sign in</html>", { "content-type": "text/html" }),
  },
  {
    when: "it answers 200 with an empty body",
    expected: "RegistryAnswerInvalid",
    respond: (response) => sendText(response, ""),
  },
  { when: "it answers 204", expected: "RegistryAnswerInvalid", respond: (response) => sendText(response, "", {}, 204) },
  {
    when: "it answers 206",
    expected: "RegistryAnswerInvalid",
    respond: (response) => json(response, completeList, {}, 206),
  },
  {
    when: "its JSON is truncated",
    expected: "RegistryAnswerInvalid",
    respond: (response) => sendText(response, '{"tags":["1.0.0","1.1.0"'),
  },
  {
    when: "data follows its JSON",
    expected: "RegistryAnswerInvalid",
    respond: (response) => sendText(response, `${JSON.stringify(completeList)}{"tags":["9.9.9"]}`),
  },
  {
    when: "its JSON is not UTF-8",
    expected: "RegistryAnswerInvalid",
    respond: (response) => response.writeHead(200).end(Buffer.from('{"tags":["1.0.0\xff"]}', "latin1")),
  },
  {
    when: "its JSON is deeply nested",
    expected: "RegistryAnswerInvalid",
    reason: "JSON that is nested more than 32 levels deep",
    respond: (response) => sendText(response, "[".repeat(19_000)),
  },
  {
    when: "an error comes with 200",
    expected: "RegistryAnswerInvalid",
    respond: (response) => json(response, { errors: [{ code: "DENIED" }] }),
  },
  {
    when: "tags are not strings",
    expected: "RegistryAnswerInvalid",
    respond: (response) => json(response, { tags: ["1.0.0", { toString: "9.9.9" }, 9] }),
  },
  {
    when: "tags are an object",
    expected: "RegistryAnswerInvalid",
    respond: (response) => json(response, { tags: { length: 1, 0: "9.9.9" } }),
  },
  {
    when: "a tag has control characters",
    expected: "RegistryAnswerInvalid",
    respond: (response) => json(response, { tags: ["1.0.0", "9.9.9\u001b[2J\r\n"] }),
  },
  {
    when: "a tag contains full-width digits",
    expected: "RegistryAnswerInvalid",
    respond: (response) => json(response, { tags: ["1.0.0", "９.9.9"] }),
  },
  {
    when: "a tag exceeds the maximum length",
    expected: "RegistryAnswerInvalid",
    respond: (response) => json(response, { tags: ["1".repeat(129)] }),
  },
  {
    when: "a tag has ten megabytes",
    expected: "RegistryAnswerInvalid",
    respond: (response) => json(response, { tags: ["1".repeat(10_000_000)] }),
  },
  {
    when: "its body never ends",
    expected: "RegistryAnswerInvalid",
    respond: (response) => writeForever(response.writeHead(200), '"1.0.0",'.repeat(1000), 1),
  },
  {
    when: "its body is a decompression bomb",
    expected: "RegistryAnswerInvalid",
    respond: (response) => response.writeHead(200, { "content-encoding": "gzip" }).end(bomb),
  },
  {
    when: "its body is compressed blocks of nothing that never end",
    expected: "RegistryAnswerInvalid",
    reason: "more than 20000 bytes",
    respond: (response) => {
      response.writeHead(200, gzipHeaders).write(gzipStart);
      writeForever(response, emptyBlocks, 1);
    },
  },
  {
    when: "its body is not compressed as its header says",
    expected: "Unreachable",
    respond: (response) => sendText(response, JSON.stringify(completeList), { "content-encoding": "gzip" }),
  },
  {
    when: "its body arrives byte by byte",
    expected: "Unreachable",
    respond: (response) => writeForever(response.writeHead(200), " ", 5),
  },
  {
    when: "its body stalls",
    expected: "Unreachable",
    respond: (response) => response.writeHead(200).write('{"tags":['),
  },
  { when: "it does not answer", expected: "Unreachable", respond: () => undefined },
  {
    when: "its headers stall",
    expected: "Unreachable",
    respond: (response) => response.socket?.write(`${ok}\r\ncontent-type: app`),
  },
  {
    when: "it does not speak HTTP",
    expected: "Unreachable",
    respond: (response) => writeRaw(response, "220 mail ready", ""),
  },
  { when: "it closes the connection", expected: "Unreachable", respond: (response) => response.destroy() },
  {
    when: "it closes the connection during its body",
    expected: "Unreachable",
    respond: (response) => response.writeHead(200).write('{"tags":["1.0.0"', () => response.socket?.resetAndDestroy()),
  },
  {
    when: "its content-length is too large",
    expected: "Unreachable",
    respond: (response) => writeRaw(response, ok, "content-length: 900", "", JSON.stringify(completeList)),
  },
  {
    when: "its content-length truncates the list",
    expected: "RegistryAnswerInvalid",
    respond: (response) => writeRaw(response, ok, "content-length: 16", "", JSON.stringify(completeList)),
  },
  {
    when: "a second response follows the first",
    expected: ["1.0.0"],
    respond: (response) => {
      const answer = (body: string) => [ok, `content-length: ${body.length}`, "", body].join("\r\n");
      writeRaw(response, answer('{"tags":["1.0.0"]}') + answer('{"tags":["9.9.9"]}'));
    },
  },
];
