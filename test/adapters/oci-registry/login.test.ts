import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import type { Credentials } from "../../../functions/adapters/oci-registry/credentials/credentials.ts";
import { basicAuthorization } from "../../../functions/adapters/oci-registry/credentials/credentials.ts";
import {
  createAdapter,
  catchError,
  imageAt,
  json,
  login,
  noon,
  startScriptedServer,
  secret,
  type ReceivedRequest,
} from "./scripted-server.ts";

const basic = basicAuthorization(login.username, login.password);

function challenge(response: ServerResponse, value: string): void {
  json(response, { errors: [{ code: "UNAUTHORIZED" }] }, { "www-authenticate": value }, 401);
}

/** A registry that issues short-lived tokens and accepts only the latest one. */
function createTokenRegistry(
  tokenResponse: (issued: number) => object = (issued) => ({ token: `t${issued}`, expires_in: 100 }),
) {
  let issued = 0;
  return {
    revoke: () => (issued += 100),
    script: ({ path, authorization }: ReceivedRequest, response: ServerResponse, host: string) => {
      if (path.startsWith("/token")) json(response, tokenResponse((issued += 1)));
      else if (authorization === `Bearer t${issued}`) json(response, { tags: ["1.0.0"] });
      else challenge(response, `Bearer realm="http://${host}/token",service="reg",scope="repository:team/app:pull"`);
    },
  };
}

describe("bearer tokens", () => {
  test("are fetched without a 401 for the next repository of a host that requires them, each with its own scope", async () => {
    await using server = await startScriptedServer(createTokenRegistry().script);
    const registry = createAdapter([server.host]);
    const next = { ...imageAt(server.host), repository: "team/next" };
    for (const image of [imageAt(server.host), next]) await registry.listTags(image);
    expect(server.requests.map(({ path }) => decodeURIComponent(path))).toEqual([
      "/v2/team/app/tags/list",
      "/token?service=reg&scope=repository:team/app:pull",
      "/v2/team/app/tags/list",
      "/token?service=reg&scope=repository:team/next:pull",
      "/v2/team/next/tags/list",
    ]);
  });

  test.for<{ as: string; credentials: Credentials | null; method: string; sends: Partial<ReceivedRequest> }>([
    { as: "an anonymous user", credentials: null, method: "GET", sends: { authorization: null, body: "" } },
    { as: "a user", credentials: login, method: "GET", sends: { authorization: basic, body: "" } },
    {
      as: "the owner of an identity token",
      credentials: { kind: "identity-token", token: secret },
      method: "POST",
      sends: {
        authorization: null,
        body: `service=reg&grant_type=refresh_token&client_id=pawl&refresh_token=${secret}&scope=repository%3Ateam%2Fapp%3Apull`,
      },
    },
  ])("are fetched as $as from the realm of the challenge", async ({ credentials, method, sends }) => {
    await using server = await startScriptedServer(createTokenRegistry().script);
    const registry = createAdapter([server.host], { credentials: async () => credentials });
    expect(await registry.listTags(imageAt(server.host))).toEqual(["1.0.0"]);
    const path = method === "GET" ? "/token?service=reg&scope=repository%3Ateam%2Fapp%3Apull" : "/token";
    expect(server.requests).toMatchObject([
      { path: "/v2/team/app/tags/list", authorization: null },
      { method, path, ...sends },
      { path: "/v2/team/app/tags/list", authorization: "Bearer t1" },
    ]);
  });

  test("are cached for four fifths of their lifetime, and then fetched again before they are rejected", async () => {
    let time = noon.getTime();
    await using server = await startScriptedServer(createTokenRegistry().script);
    const registry = createAdapter([server.host], { now: () => new Date(time) });
    for (const afterSeconds of [0, 79, 81]) {
      time = noon.getTime() + afterSeconds * 1000;
      await registry.listTags(imageAt(server.host));
    }
    expect(server.requests.map(({ path, authorization }) => authorization ?? path.split("?")[0])).toEqual([
      "/v2/team/app/tags/list",
      "/token",
      "Bearer t1",
      "Bearer t1",
      "/token",
      "Bearer t2",
    ]);
  });

  test("that the registry no longer accepts are fetched again once", async () => {
    const { script, revoke } = createTokenRegistry();
    await using server = await startScriptedServer(script);
    const registry = createAdapter([server.host]);
    await registry.listTags(imageAt(server.host));
    revoke();
    expect(await registry.listTags(imageAt(server.host))).toEqual(["1.0.0"]);
  });

  test("are fetched once for concurrent requests", async () => {
    const { script } = createTokenRegistry();
    await using server = await startScriptedServer(script);
    const registry = createAdapter([server.host], { limits: { requestSeconds: 10 } });
    await Promise.all(Array.from({ length: 6 }, () => registry.listTags(imageAt(server.host))));
    expect(server.requests.filter(({ path }) => path.startsWith("/token"))).toHaveLength(1);
  });

  test("are fetched again by the next request after a failure", async () => {
    const { script } = createTokenRegistry((issued) => (issued === 1 ? { error: "busy" } : { token: `t${issued}` }));
    await using server = await startScriptedServer(script);
    const registry = createAdapter([server.host]);
    expect((await catchError(registry.listTags(imageAt(server.host)))).name).toBe("RegistryAnswerInvalid");
    expect(await registry.listTags(imageAt(server.host))).toEqual(["1.0.0"]);
  });

  test("are not shared between logins", async () => {
    let credentials: Credentials | null = login;
    await using server = await startScriptedServer(createTokenRegistry().script);
    const registry = createAdapter([server.host], { credentials: async () => credentials });
    await registry.listTags(imageAt(server.host));
    credentials = { ...login, password: "another" };
    await registry.listTags(imageAt(server.host));
    const tokenRequests = server.requests.filter(({ path }) => path.startsWith("/token"));
    expect(tokenRequests.map(({ authorization }) => authorization)).toEqual([
      basic,
      basicAuthorization("pawl", "another"),
    ]);
  });

  test("may be named access_token; the scope defaults to that of the repository", async () => {
    await using server = await startScriptedServer(({ path, authorization }, response, host) => {
      if (path.startsWith("/token")) json(response, { access_token: "t" });
      else if (authorization === "Bearer t") json(response, { tags: [] });
      else challenge(response, `Bearer realm="http://${host}/token?account=x"`);
    });
    await createAdapter([server.host]).listTags(imageAt(server.host));
    expect(server.requests[1]?.path).toBe("/token?account=x&scope=repository%3Ateam%2Fapp%3Apull");
  });

  test("are renewed if the registry answers 400 to an expired one, as ECR Public does", async () => {
    let issued = 0;
    await using server = await startScriptedServer(({ path, authorization }, response, host) => {
      if (path.startsWith("/token")) json(response, { token: `t${(issued += 1)}` });
      else if (authorization === null) challenge(response, `Bearer realm="http://${host}/token"`);
      else if (authorization === "Bearer t1" && server.requests.length > 3) json(response, {}, {}, 400);
      else json(response, { tags: ["1.0.0"] });
    });
    const registry = createAdapter([server.host]);
    await registry.listTags(imageAt(server.host));
    expect(await registry.listTags(imageAt(server.host))).toEqual(["1.0.0"]);
  });
});

describe("a user name and password", () => {
  test("are sent with every request after the registry's first challenge", async () => {
    await using server = await startScriptedServer(({ authorization }, response) =>
      authorization === basic ? json(response, { tags: ["1.0.0"] }) : challenge(response, 'Basic realm="reg"'),
    );
    const registry = createAdapter([server.host], { credentials: async () => login });
    await registry.listTags(imageAt(server.host));
    await registry.listTags(imageAt(server.host));
    expect(server.requests.map(({ authorization }) => authorization)).toEqual([null, basic, basic]);
  });

  test("are neither sent nor looked up without a challenge", async () => {
    await using server = await startScriptedServer((_, response) => json(response, { tags: ["1.0.0"] }));
    const credentials = () => Promise.reject(new Error("looked up"));
    await createAdapter([server.host], { credentials }).listTags(imageAt(server.host));
    expect(server.requests.map(({ authorization }) => authorization)).toEqual([null]);
  });

  test("that are rejected are tried once for each operation, so that the account is not locked", async () => {
    await using server = await startScriptedServer((_, response) => challenge(response, "Basic"));
    const registry = createAdapter([server.host], { credentials: async () => login });
    await catchError(registry.listTags(imageAt(server.host)));
    const failure = await catchError(registry.listTags(imageAt(server.host)));
    expect(failure.name).toBe("RegistryUnauthorized");
    expect(server.requests.filter(({ authorization }) => authorization !== null)).toHaveLength(2);
  });
});
