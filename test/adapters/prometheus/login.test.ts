import { describe, expect, test } from "vitest";
import { SecretUnreadable, Unreachable } from "../../../functions/ports/errors.ts";
import { catchError, json, startScriptedServer, type Script } from "../oci-registry/scripted-server.ts";
import { kubeConfigFor, openAt, secret, service, withLogin } from "./open.ts";

const success = { status: "success", data: { resultType: "scalar", result: [1, "1"] } };
const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;

/** Answers 401 to every other `Authorization`. */
const demanding =
  (accepted: string): Script =>
  ({ authorization }, response) =>
    authorization === accepted ? json(response, success) : json(response, {}, {}, 401);

const forms = [
  { text: secret, header: `Bearer ${secret}` },
  { text: ` ${secret}==\n`, header: `Bearer ${secret}==` },
  { text: JSON.stringify({ token: secret }), header: `Bearer ${secret}` },
  { text: JSON.stringify({ token: secret, username: null }), header: `Bearer ${secret}` },
  { text: JSON.stringify({ username: "pawl", password: secret }), header: basic(`pawl:${secret}`) },
  { text: JSON.stringify({ username: "é", password: "p:ß \"'" }), header: basic("é:p:ß \"'") },
  {
    text: JSON.stringify({ engine: "prometheus", username: "pawl", password: secret }),
    header: basic(`pawl:${secret}`),
  },
];

test.for(forms)("$text is sent as $header", async ({ text, header }) => {
  await using server = await startScriptedServer(demanding(header));
  const source = await openAt(`http://${server.host}/prom`, withLogin(text));
  expect(await source.query("up")).toMatchObject({ kind: "value", value: 1 });
  expect(server.requests).toMatchObject([{ path: "/prom/api/v1/query?query=up", authorization: header }]);
});

describe("what is no login is not sent", () => {
  test.for([
    "",
    `pawl:${secret}`,
    `Bearer ${secret}`,
    `${secret}\r\nx-other: 1`,
    "{",
    "[]",
    JSON.stringify(secret),
    "{}",
    JSON.stringify({ username: "pawl" }),
    JSON.stringify({ username: "", password: secret }),
    JSON.stringify({ username: "pawl", password: "" }),
    JSON.stringify({ username: "pa:wl", password: secret }),
    JSON.stringify({ username: "pawl", password: `${secret}\n` }),
    JSON.stringify({ username: "pawl", password: 5 }),
    JSON.stringify({ username: "pawl", password: secret, token: secret }),
    JSON.stringify({ token: `${secret} x` }),
    JSON.stringify({ token: `${secret}\r\nx-other: 1` }),
    JSON.stringify({ bearer: secret }),
  ])("%j", async (text) => {
    await using server = await startScriptedServer((_, response) => json(response, success));
    const failure = await catchError((await openAt(`http://${server.host}`, withLogin(text))).query("up"));
    expect(failure).toMatchObject({ name: "QueryRejected", message: expect.stringContaining("the secret prometheus") });
    expect(failure.message).toContain(
      'use {"username": "…", "password": "…"}, {"token": "…"}, {"headers": {"NAME": "…"}} or a bearer token alone',
    );
    expect(failure.logged).not.toContain(secret);
    expect(server.requests).toEqual([]);
  });
});

describe("a login that is refused", () => {
  test("is read again, and used if it has changed", async () => {
    await using server = await startScriptedServer(demanding("Bearer new"));
    const login = withLogin("old", "new");
    const source = await openAt(`http://${server.host}`, login);
    expect(await source.query("up")).toMatchObject({ value: 1 });
    expect(await source.query("up")).toMatchObject({ value: 1 });
    expect(login.forgotten).toEqual(["old"]);
    expect(server.requests.map(({ authorization }) => authorization)).toEqual([
      "Bearer old",
      "Bearer new",
      "Bearer new",
    ]);
  });

  test("is not sent again if it is the same, and a second one is not read twice", async () => {
    await using server = await startScriptedServer(demanding("Bearer other"));
    await expect((await openAt(`http://${server.host}`, withLogin("old"))).query("up")).rejects.toThrow("401");
    expect(server.requests).toHaveLength(1);
    await expect((await openAt(`http://${server.host}`, withLogin("old", "new"))).query("up")).rejects.toThrow("401");
    expect(server.requests).toHaveLength(3);
  });
});

const noLogin = { login: null };

describe("a refusal says what to fix", () => {
  test.for([
    { status: 401, options: withLogin(secret), fix: "answered 401; correct the login in the secret prometheus" },
    { status: 403, options: withLogin(secret), fix: "answered 403; let the login in the secret prometheus query" },
    { status: 401, options: noLogin, fix: "answered 401; no login is configured for it" },
    { status: 403, options: noLogin, fix: "answered 403; no login is configured for it" },
  ])("$fix", async ({ status, options, fix }) => {
    await using server = await startScriptedServer((_, response) => json(response, {}, {}, status));
    const failure = await catchError((await openAt(`http://${server.host}`, options)).query("up"));
    expect(failure).toMatchObject({ name: "QueryRejected", message: expect.stringContaining(fix) });
    expect(failure.logged).not.toContain(secret);
  });

  test.for([
    { status: 401, fix: "a Prometheus that requires a login needs an https:// address" },
    { status: 403, fix: "allow get on services/proxy of prometheus:9090 in monitoring" },
  ])("$status of a Service: $fix", async ({ status, fix }) => {
    await using server = await startScriptedServer((_, response) => json(response, {}, {}, status));
    const source = await openAt(service, { kubeConfig: async () => kubeConfigFor(`http://${server.host}`) });
    const failure = await catchError(source.query("up"));
    expect(failure).toMatchObject({ name: "QueryRejected", message: expect.stringContaining(fix) });
    expect(failure.logged).not.toContain(secret);
  });

  test("a Prometheus that does not answer is not shown the login's text", async () => {
    const source = await openAt("http://127.0.0.1:1", withLogin(secret));
    const failure = await catchError(source.query("up"));
    expect(failure.name).toBe("Unreachable");
    expect(failure.logged).not.toContain(secret);
  });
});

describe("a login that is not readable", () => {
  const failing = (error: Error) => {
    const get = async () => {
      throw error;
    };
    return { login: { source: "the secret", get, forget: () => undefined } };
  };
  test.for([
    { error: new SecretUnreadable("GetSecretValue x: AccessDeniedException"), name: "QueryRejected" },
    { error: new Unreachable("GetSecretValue x: no answer"), name: "Unreachable" },
  ])("$error.name is $name", async ({ error, name }) => {
    const source = await openAt("http://127.0.0.1:1", failing(error));
    await expect(source.query("up")).rejects.toMatchObject({ name, message: error.message });
  });
});

test.for(["http://prometheus.example", "http://localhost:9090", "http://10.0.0.1:9090", "http://[fd00::1]:9090"])(
  "%s would receive it in clear text",
  async (address) => {
    await expect(openAt(address, withLogin(secret))).rejects.toMatchObject({
      name: "QueryRejected",
      message: expect.stringContaining(`${address} would receive the login in clear text; use https://`),
    });
  },
);

test.for([service, "amp://eu-west-1/ws-1"])("%s has none", async (address) => {
  await expect(openAt(address, withLogin(secret))).rejects.toMatchObject({
    name: "QueryRejected",
    message: expect.stringContaining(`${address} has no login: Pawl's own credentials are used`),
  });
});
