import type { IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import { createSession } from "../../../cli/dashboard/server/session.ts";

const host = "127.0.0.1:4321";
const session = createSession(host);
const cookie = session.exchange(session.token)?.split(";")[0] ?? "";
const own = { host, origin: `http://${host}`, cookie };

function request(method: string, headers: Readonly<Record<string, string>>): IncomingMessage {
  return { method, headers } as unknown as IncomingMessage;
}

describe("a request for data", () => {
  test.for([
    { when: "the page reads", method: "GET", headers: own, status: null },
    {
      when: "the page reads by the name localhost",
      method: "GET",
      headers: { host: "localhost:4321", cookie },
      status: null,
    },
    { when: "a browser sends no origin with a GET", method: "GET", headers: { host, cookie }, status: null },
    { when: "the cookie is missing", method: "GET", headers: { host }, status: 401 },
    { when: "the cookie is wrong", method: "GET", headers: { host, cookie: `${cookie}x` }, status: 401 },
    {
      when: "the cookie is of another port",
      method: "GET",
      headers: { host, cookie: cookie.replace("4321", "4322") },
      status: 401,
    },
    {
      when: "its cookie is one of several",
      method: "GET",
      headers: { host, cookie: `a=b; ${cookie}; c=d` },
      status: null,
    },
    {
      when: "the host is a name that resolves to 127.0.0.1",
      method: "GET",
      headers: { ...own, host: "evil.example:4321" },
      status: 403,
    },
    { when: "the host has another port", method: "GET", headers: { ...own, host: "127.0.0.1:80" }, status: 403 },
    { when: "there is no host", method: "GET", headers: { cookie }, status: 403 },
    {
      when: "the origin is another page",
      method: "GET",
      headers: { ...own, origin: "https://evil.example" },
      status: 403,
    },
    {
      when: "the origin is null, as of a sandboxed frame",
      method: "GET",
      headers: { ...own, origin: "null" },
      status: 403,
    },
    {
      when: "the origin is another port",
      method: "GET",
      headers: { ...own, origin: "http://127.0.0.1:1" },
      status: 403,
    },
    {
      when: "another site asks",
      method: "GET",
      headers: { host, cookie, "sec-fetch-site": "cross-site" },
      status: 403,
    },
    {
      when: "another port of the host asks",
      method: "GET",
      headers: { host, cookie, "sec-fetch-site": "same-site" },
      status: 403,
    },
    { when: "a write has no origin", method: "POST", headers: { host, cookie }, status: 403 },
    { when: "the page writes", method: "POST", headers: own, status: null },
  ])("$when: $status", ({ method, headers, status }) => {
    expect(session.refusal(request(method, headers as Readonly<Record<string, string>>), true)).toBe(status);
  });
});

test("the page itself needs no cookie, but its own host", () => {
  expect(session.refusal(request("GET", { host }), false)).toBeNull();
  expect(session.refusal(request("GET", { host: "evil.example" }), false)).toBe(403);
});

test.for(["", "x", `${session.token}x`, session.token.toLowerCase()])("the token %j is refused", (token) => {
  expect(session.exchange(token)).toBeNull();
});

test("the cookie is for this host only, and not for scripts", () => {
  expect(session.exchange(session.token)).toMatch(/^pawl-4321=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/);
});

test("each run has a token of its own", () => {
  expect(createSession(host).token).not.toBe(session.token);
});
