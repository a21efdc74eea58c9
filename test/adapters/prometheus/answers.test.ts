import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { catchError, json, startScriptedServer } from "../oci-registry/scripted-server.ts";
import { openAt } from "./open.ts";

/** Returns the error of a query with this response, with everything that a log would show of it. */
async function queryWith(respond: (response: ServerResponse) => void, seconds = 30) {
  await using server = await startScriptedServer((_, response) => respond(response));
  const source = await openAt(`http://${server.host}`, {}, { seconds });
  return await catchError(source.query("up"));
}

function success(data: unknown, rest: object = {}) {
  return (response: ServerResponse) => json(response, { status: "success", data, ...rest });
}

describe("an error's name determines its handling", () => {
  const body = (error: string) => ({ status: "error", errorType: "any", error });
  test.for([
    { status: 400, body: body("parse error"), name: "QueryRejected", message: "answered 400: parse error" },
    { status: 401, body: "log in", name: "QueryRejected", message: "answered 401" },
    {
      status: 403,
      body: { kind: "Status", message: "may not proxy" },
      name: "QueryRejected",
      message: "may not proxy",
    },
    { status: 404, body: {}, name: "QueryRejected", message: "answered 404" },
    { status: 422, body: body("many-to-many"), name: "QueryRejected", message: "422: many-to-many" },
    { status: 429, body: body("slow down"), name: "Throttled", message: "429: slow down" },
    { status: 500, body: body("boom"), name: "Unreachable", message: "500: boom" },
    { status: 502, body: "<html>", name: "Unreachable", message: "answered 502" },
    { status: 503, body: body("query timed out"), name: "Unreachable", message: "503: query timed out" },
    { status: 204, body: {}, name: "Unreachable", message: "answered 204" },
  ])("$status is $name", async ({ status, body: responseBody, name, message }) => {
    const failure = await queryWith((response) => json(response, responseBody, {}, status));
    expect(failure).toMatchObject({ name, message: expect.stringContaining(message) });
  });

  test("Throttled has the time to retry", async () => {
    await using server = await startScriptedServer((_, response) => json(response, {}, { "retry-after": "30" }, 429));
    const source = await openAt(`http://${server.host}`);
    await expect(source.query("up")).rejects.toMatchObject({ retryAfterSeconds: 30 });
  });

  test("a long message is truncated", async () => {
    const { message } = await queryWith((response) => json(response, body("x".repeat(5000)), {}, 400));
    expect(message.length).toBeLessThan(400);
  });
});

describe("an invalid success response is Unreachable", () => {
  test.for([
    { when: "a page", respond: (response: ServerResponse) => void response.end("<html>log in</html>") },
    { when: "an empty body", respond: (response: ServerResponse) => void response.end() },
    { when: "another JSON", respond: (response: ServerResponse) => json(response, [1]) },
    { when: "null", respond: (response: ServerResponse) => json(response, null) },
    { when: "an error", respond: (response: ServerResponse) => json(response, { status: "error", error: "x" }) },
    { when: "no data", respond: success(undefined) },
    { when: "an unknown type", respond: success({ resultType: "graph", result: [] }) },
    { when: "an invalid vector", respond: success({ resultType: "vector", result: {} }) },
    { when: "an invalid sample", respond: success({ resultType: "vector", result: [{ value: 5 }] }) },
    { when: "an invalid value", respond: success({ resultType: "scalar", result: [1, "many"] }) },
    { when: "an empty value", respond: success({ resultType: "scalar", result: [1, ""] }) },
  ])("$when", async ({ respond }) => {
    expect(await queryWith(respond)).toMatchObject({
      name: "Unreachable",
      message: expect.stringContaining("is not from Prometheus"),
    });
  });
});

describe("a result that is not a number is rejected", () => {
  test("because it is a histogram", async () => {
    const result = [{ metric: {}, histogram: [1, {}] }];
    const failure = await queryWith(success({ resultType: "vector", result }));
    expect(failure).toMatchObject({ name: "QueryRejected", message: expect.stringContaining("histogram") });
  });

  test("because it exceeds the size limit", async () => {
    const result = Array.from({ length: 500 }, () => ({ metric: {}, value: [1, "1"] }));
    const failure = await queryWith(success({ resultType: "vector", result }));
    expect(failure).toMatchObject({ name: "QueryRejected", message: expect.stringContaining("more than 4096 bytes") });
  });
});

test("infos are returned, and a warning is no value", async () => {
  const data = { resultType: "scalar", result: [1, "1"] };
  await using server = await startScriptedServer(({ path }, response) =>
    success(data, { ...(path.includes("partial") ? { warnings: ["partial", 5] } : {}), infos: ["no counter"] })(
      response,
    ),
  );
  const source = await openAt(`http://${server.host}`);
  expect(await source.query("up")).toMatchObject({ kind: "value", value: 1, warnings: ["no counter"] });
  const reason = "the answer has a warning: partial";
  expect(await source.query("partial")).toEqual({ kind: "none", reason, at: null, warnings: ["no counter"] });
});

describe("a missing response is Unreachable", () => {
  test.for([
    { when: "it never arrives", respond: () => undefined, seconds: 0.2, message: "did not answer within 0.2 seconds" },
    {
      when: "it stalls",
      respond: (response: ServerResponse) => void response.writeHead(200).write("{"),
      seconds: 0.2,
      message: "did not answer within 0.2 seconds",
    },
    {
      when: "its connection is reset",
      respond: (response: ServerResponse) => {
        response.writeHead(200).write("{", () => response.socket?.resetAndDestroy());
      },
      message: "ECONNRESET",
    },
    {
      when: "the connection breaks",
      respond: (response: ServerResponse) => void response.destroy(),
      message: "ECONNRESET",
    },
  ])("because $when", async ({ respond, message, seconds = 30 }) => {
    expect(await queryWith(respond, seconds)).toMatchObject({
      name: "Unreachable",
      message: expect.stringContaining(message),
    });
  });

  test("because the connection is refused", async () => {
    const server = await startScriptedServer(() => undefined);
    await server[Symbol.asyncDispose]();
    const source = await openAt(`http://${server.host}`);
    const failure = await catchError(source.query("up"));
    expect(failure).toMatchObject({ name: "Unreachable", message: expect.stringContaining("ECONNREFUSED") });
  });
});
