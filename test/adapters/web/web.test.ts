import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import type { MetricProviderAccess } from "../../../functions/adapters/metric-provider-access.ts";
import { openWeb } from "../../../functions/adapters/web/open.ts";
import type { WebQuery } from "../../../functions/domain/analysis/providers/web.ts";
import { type Failure, metricProviderContract } from "../../contracts/metric-provider.ts";
import { catchError, json, type Script, startScriptedServer } from "../oci-registry/scripted-server.ts";
import { noon, secret, withLogin } from "../prometheus/open.ts";

const statuses = { denied: 403, throttled: 429, unavailable: 503 } as const;
const document = { a: 0.25, text: "1e-7", word: "many", yes: true, none: null, list: [{ v: -3 }], tiny: 5e-324 };

function openAt(url: string, login: Partial<MetricProviderAccess> = {}, bytes = 4096) {
  const kubeConfig = () => Promise.reject(new Error("no cluster here"));
  const credentials = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: secret };
  return openWeb(url, { login: null, kubeConfig, credentials, now: () => noon, ...login }, { seconds: 30, bytes });
}

function ask(path: WebQuery["path"], parameters: WebQuery["parameters"] = [], times: WebQuery["times"] = []): string {
  return JSON.stringify({ parameters, times, path } satisfies WebQuery);
}

const value = (number: number) => ({ kind: "value", value: number }) as const;
const none = (path: string) => ({ kind: "none", reason: `the answer has no value at $${path}` }) as const;

metricProviderContract("a web server", {
  cases: {
    readings: [
      { query: ask(["a"]), reading: value(0.25) },
      { query: ask(["text"]), reading: value(1e-7) },
      { query: ask(["list", -1, "v"]), reading: value(-3) },
      { query: ask(["tiny"]), reading: value(5e-324) },
      { query: ask(["none"]), reading: none('["none"]') },
      { query: ask(["list", 1, "v"]), reading: none('["list"][1]["v"]') },
    ],
    rejectedQueries: [
      { query: ask([]), message: "$ is object; a number is required" },
      { query: ask(["list"]), message: '$["list"] is a list' },
      { query: ask(["word"]), message: "is string" },
      { query: ask(["yes"]), message: "is boolean" },
    ],
    changingQuery: null,
  },
  start: () => start((_, response) => json(response, document)),
  startFailing: (failure: Failure) =>
    start((_, response) => {
      if (failure === "hangs up") response.destroy();
      else response.writeHead(statuses[failure]).end();
    }),
});

async function start(script: Script) {
  const server = await startScriptedServer(script);
  return { provider: await openAt(`http://${server.host}/a/`), close: async () => server[Symbol.asyncDispose]() };
}

describe("a web server", () => {
  test("is asked for the path of the deployment, with the parameters of the analysis encoded", async () => {
    await using server = await startScriptedServer((_, response) => json(response, document));
    await (await openAt(`http://${server.host}/a/`)).query(ask(["a"], [["s", "web&admin=1#é /"]]));
    await (await openAt(`http://${server.host}`)).query(ask(["a"]));
    const times: WebQuery["times"] = [
      ["from", 300],
      ["to", 0],
    ];
    await (await openAt(`http://${server.host}`)).query(ask(["a"], [["q", "x"]], times));
    const seconds = noon.getTime() / 1000;
    expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /a/?s=web%26admin%3D1%23%C3%A9+%2F",
      "GET /",
      `GET /?q=x&from=${seconds - 300}&to=${seconds}`,
    ]);
  });

  test.for([
    { text: secret, header: "authorization", sent: `Bearer ${secret}` },
    { text: JSON.stringify({ headers: { "DD-API-KEY": secret, other: "b c" } }), header: "dd-api-key", sent: secret },
  ])("gets the login of the deployment as $header", async ({ text, header, sent }) => {
    const received: IncomingHttpHeaders[] = [];
    await using server = createServer(({ headers }, response) => {
      received.push(headers);
      json(response, document);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    await (await openAt(`http://127.0.0.1:${port}`, withLogin(text))).query(ask(["a"]));
    expect(received).toMatchObject([{ [header]: sent, accept: "application/json" }]);
  });

  test.for([
    { headers: {} },
    { headers: { host: secret } },
    { headers: { "Transfer-Encoding": secret } },
    { headers: { "a b": secret } },
    { headers: { a: `${secret}\r\nb: c` } },
    { headers: { a: "" } },
    { headers: { a: 5 } },
    { headers: { a: secret }, token: "t" },
  ])("gets nothing if the login is %j", async (login) => {
    await using server = await startScriptedServer((_, response) => json(response, document));
    const failure = await catchError(
      (await openAt(`http://${server.host}`, withLogin(JSON.stringify(login)))).query(ask(["a"])),
    );
    expect(failure).toMatchObject({ name: "QueryRejected", message: expect.stringContaining("is not a login; use") });
    expect(failure.logged).not.toContain(secret);
    expect(server.requests).toEqual([]);
  });

  const elsewhere = "http://127.0.0.1:1/";
  test.for<{ when: string; script: Script; name: string; message: string }>([
    {
      when: "a redirect",
      script: (_, response) => response.writeHead(302, { location: elsewhere }).end(),
      name: "QueryRejected",
      message: "redirects are not followed",
    },
    {
      when: "more bytes than the limit",
      script: (_, response) => json(response, { a: "x".repeat(5000) }),
      name: "QueryRejected",
      message: "answered with more than 4096 bytes",
    },
    {
      when: "a page",
      script: (_, response) => response.end("<html>"),
      name: "Unreachable",
      message: "the response is not JSON",
    },
    {
      when: "no access",
      script: (_, response) => json(response, {}, {}, 401),
      name: "QueryRejected",
      message: "answered 401; no login is configured for it; add secretArn",
    },
  ])("that answers with $when is an error", async ({ script, name, message }) => {
    await using server = await startScriptedServer(script);
    const failure = await catchError((await openAt(`http://${server.host}`)).query(ask(["a"])));
    expect(failure).toMatchObject({ name, message: expect.stringContaining(message) });
  });

  test.for([
    { url: "http://m.example", message: "would receive the login in clear text" },
    { url: "amp://eu-west-1/ws-1", message: "is not a URL" },
  ])("at $url gets no login: $message", async ({ url, message }) => {
    await expect(openAt(url, withLogin(secret))).rejects.toMatchObject({
      name: "QueryRejected",
      message: expect.stringContaining(message),
    });
  });
});
