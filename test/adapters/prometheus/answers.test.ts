import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { failureOf, json, scripted } from "../oci-registry/scripted.ts";
import { openAt } from "./open.ts";

/** What becomes of a query that is answered so, told of an error by all that a log would show of it. */
async function answered(answer: (response: ServerResponse) => void, seconds = 30) {
  await using server = await scripted((_, response) => answer(response));
  const source = await openAt(`http://${server.host}`, { bounds: { seconds, bytes: 4096 } });
  return await failureOf(source.query("up"));
}

function success(data: unknown, rest: object = {}) {
  return (response: ServerResponse) => json(response, { status: "success", data, ...rest });
}

describe("an error is named by what may be done about it", () => {
  const body = (error: string) => ({ status: "error", errorType: "any", error });
  test.for([
    { status: 400, body: body("parse error"), name: "QueryRefused", says: "answered 400: parse error" },
    { status: 401, body: "log in", name: "QueryRefused", says: "answered 401" },
    { status: 403, body: { kind: "Status", message: "may not proxy" }, name: "QueryRefused", says: "may not proxy" },
    { status: 404, body: {}, name: "QueryRefused", says: "answered 404" },
    { status: 422, body: body("many-to-many"), name: "QueryRefused", says: "422: many-to-many" },
    { status: 429, body: body("slow down"), name: "Throttled", says: "429: slow down" },
    { status: 500, body: body("boom"), name: "Unreachable", says: "500: boom" },
    { status: 502, body: "<html>", name: "Unreachable", says: "answered 502" },
    { status: 503, body: body("query timed out"), name: "Unreachable", says: "503: query timed out" },
    { status: 204, body: {}, name: "Unreachable", says: "answered 204" },
  ])("$status is $name", async ({ status, body: said, name, says }) => {
    const failure = await answered((response) => json(response, said, {}, status));
    expect(failure).toMatchObject({ name, message: expect.stringContaining(says) });
  });

  test("and says when to come back", async () => {
    await using server = await scripted((_, response) => json(response, {}, { "retry-after": "30" }, 429));
    const source = await openAt(`http://${server.host}`);
    await expect(source.query("up")).rejects.toMatchObject({ retryAfterSeconds: 30 });
  });

  test("and by its beginning, where it is long", async () => {
    const { message } = await answered((response) => json(response, body("x".repeat(5000)), {}, 400));
    expect(message.length).toBeLessThan(400);
  });
});

describe("a success that is none is no answer of Prometheus's", () => {
  test.for([
    { when: "a page", answer: (response: ServerResponse) => void response.end("<html>log in</html>") },
    { when: "an empty one", answer: (response: ServerResponse) => void response.end() },
    { when: "another JSON", answer: (response: ServerResponse) => json(response, [1]) },
    { when: "null", answer: (response: ServerResponse) => json(response, null) },
    { when: "an error", answer: (response: ServerResponse) => json(response, { status: "error", error: "x" }) },
    { when: "no data", answer: success(undefined) },
    { when: "an unknown type", answer: success({ resultType: "graph", result: [] }) },
    { when: "a vector that is none", answer: success({ resultType: "vector", result: {} }) },
    { when: "a sample that is none", answer: success({ resultType: "vector", result: [{ value: 5 }] }) },
    { when: "a value that is none", answer: success({ resultType: "scalar", result: [1, "many"] }) },
    { when: "an empty value", answer: success({ resultType: "scalar", result: [1, ""] }) },
  ])("$when", async ({ answer }) => {
    expect(await answered(answer)).toMatchObject({
      name: "Unreachable",
      message: expect.stringContaining("is not a P"),
    });
  });
});

describe("a success of no use is refused", () => {
  test("because it is a histogram", async () => {
    const result = [{ metric: {}, histogram: [1, {}] }];
    const failure = await answered(success({ resultType: "vector", result }));
    expect(failure).toMatchObject({ name: "QueryRefused", message: expect.stringContaining("histogram") });
  });

  test("because it is larger than the bound", async () => {
    const result = Array.from({ length: 500 }, () => ({ metric: {}, value: [1, "1"] }));
    const failure = await answered(success({ resultType: "vector", result }));
    expect(failure).toMatchObject({ name: "QueryRefused", message: expect.stringContaining("more than 4096 bytes") });
  });
});

test("warnings and infos are handed on", async () => {
  const data = { resultType: "scalar", result: [1, "1"] };
  await using server = await scripted((_, response) =>
    success(data, { warnings: ["partial", 5], infos: ["no counter"] })(response),
  );
  const source = await openAt(`http://${server.host}`);
  expect(await source.query("up")).toEqual({ kind: "value", value: 1, warnings: ["partial", "no counter"] });
});

describe("no answer is Unreachable", () => {
  test.for([
    { when: "it never comes", answer: () => undefined, seconds: 0.2, says: "did not answer within 0.2 seconds" },
    {
      when: "it stops in the middle",
      answer: (response: ServerResponse) => void response.writeHead(200).write("{"),
      seconds: 0.2,
      says: "did not answer within 0.2 seconds",
    },
    {
      when: "it is reset in the middle",
      answer: (response: ServerResponse) => {
        response.writeHead(200).write("{", () => response.socket?.resetAndDestroy());
      },
      says: "ECONNRESET",
    },
    {
      when: "the connection breaks",
      answer: (response: ServerResponse) => void response.destroy(),
      says: "ECONNRESET",
    },
  ])("because $when", async ({ answer, says, seconds = 30 }) => {
    expect(await answered(answer, seconds)).toMatchObject({
      name: "Unreachable",
      message: expect.stringContaining(says),
    });
  });

  test("because nobody listens", async () => {
    const server = await scripted(() => undefined);
    await server[Symbol.asyncDispose]();
    const source = await openAt(`http://${server.host}`);
    const failure = await failureOf(source.query("up"));
    expect(failure).toMatchObject({ name: "Unreachable", message: expect.stringContaining("ECONNREFUSED") });
  });
});
