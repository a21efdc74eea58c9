import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import type { Credentials } from "../../../functions/adapters/oci-registry/credentials.ts";
import { basicHeader } from "../../../functions/adapters/oci-registry/credentials.ts";
import { adapterFor, failureOf, imageOn, json, login, noon, scripted, secret, type Heard } from "./scripted.ts";

const basic = basicHeader(login.username, login.password);

function challenge(response: ServerResponse, value: string): void {
  json(response, { errors: [{ code: "UNAUTHORIZED" }] }, { "www-authenticate": value }, 401);
}

/** A registry that gives tokens for a while and takes only those that it gave last. */
function tokenRegistry(answers: (given: number) => object = (given) => ({ token: `t${given}`, expires_in: 100 })) {
  let given = 0;
  return {
    revoke: () => (given += 100),
    script: ({ path, authorization }: Heard, response: ServerResponse, host: string) => {
      if (path.startsWith("/token")) json(response, answers((given += 1)));
      else if (authorization === `Bearer t${given}`) json(response, { tags: ["1.0.0"] });
      else challenge(response, `Bearer realm="http://${host}/token",service="reg",scope="repository:team/app:pull"`);
    },
  };
}

describe("bearer tokens", () => {
  test("are fetched at once for the next repository of a host that has asked for one, each with its own scope", async () => {
    await using server = await scripted(tokenRegistry().script);
    const registry = adapterFor([server.host]);
    const next = { ...imageOn(server.host), repository: "team/next" };
    for (const image of [imageOn(server.host), next]) await registry.listTags(image);
    expect(server.heard.map(({ path }) => decodeURIComponent(path))).toEqual([
      "/v2/team/app/tags/list",
      "/token?service=reg&scope=repository:team/app:pull",
      "/v2/team/app/tags/list",
      "/token?service=reg&scope=repository:team/next:pull",
      "/v2/team/next/tags/list",
    ]);
  });

  test.for<{ as: string; credentials: Credentials | null; method: string; sends: Partial<Heard> }>([
    { as: "nobody", credentials: null, method: "GET", sends: { authorization: null, body: "" } },
    { as: "a user", credentials: login, method: "GET", sends: { authorization: basic, body: "" } },
    {
      as: "the bearer of an identity token",
      credentials: { kind: "identity-token", token: secret },
      method: "POST",
      sends: {
        authorization: null,
        body: `service=reg&grant_type=refresh_token&client_id=pawl&refresh_token=${secret}&scope=repository%3Ateam%2Fapp%3Apull`,
      },
    },
  ])("are fetched as $as from the realm of the challenge", async ({ credentials, method, sends }) => {
    await using server = await scripted(tokenRegistry().script);
    const registry = adapterFor([server.host], { credentials: async () => credentials });
    expect(await registry.listTags(imageOn(server.host))).toEqual(["1.0.0"]);
    const path = method === "GET" ? "/token?service=reg&scope=repository%3Ateam%2Fapp%3Apull" : "/token";
    expect(server.heard).toMatchObject([
      { path: "/v2/team/app/tags/list", authorization: null },
      { method, path, ...sends },
      { path: "/v2/team/app/tags/list", authorization: "Bearer t1" },
    ]);
  });

  test("are kept for four fifths of their life and then fetched anew, before anything is refused", async () => {
    let time = noon.getTime();
    await using server = await scripted(tokenRegistry().script);
    const registry = adapterFor([server.host], { now: () => new Date(time) });
    for (const afterSeconds of [0, 79, 81]) {
      time = noon.getTime() + afterSeconds * 1000;
      await registry.listTags(imageOn(server.host));
    }
    expect(server.heard.map(({ path, authorization }) => authorization ?? path.split("?")[0])).toEqual([
      "/v2/team/app/tags/list",
      "/token",
      "Bearer t1",
      "Bearer t1",
      "/token",
      "Bearer t2",
    ]);
  });

  test("that the registry no longer takes are fetched anew once", async () => {
    const { script, revoke } = tokenRegistry();
    await using server = await scripted(script);
    const registry = adapterFor([server.host]);
    await registry.listTags(imageOn(server.host));
    revoke();
    expect(await registry.listTags(imageOn(server.host))).toEqual(["1.0.0"]);
  });

  test("are fetched once for all who ask at the same time", async () => {
    const { script } = tokenRegistry();
    await using server = await scripted(script);
    const registry = adapterFor([server.host], { limits: { requestSeconds: 10 } });
    await Promise.all(Array.from({ length: 6 }, () => registry.listTags(imageOn(server.host))));
    expect(server.heard.filter(({ path }) => path.startsWith("/token"))).toHaveLength(1);
  });

  test("that could not be fetched are asked for again by the next who needs one", async () => {
    const { script } = tokenRegistry((given) => (given === 1 ? { error: "busy" } : { token: `t${given}` }));
    await using server = await scripted(script);
    const registry = adapterFor([server.host]);
    expect((await failureOf(registry.listTags(imageOn(server.host)))).name).toBe("RegistryAnswerInvalid");
    expect(await registry.listTags(imageOn(server.host))).toEqual(["1.0.0"]);
  });

  test("are not shared between logins", async () => {
    let credentials: Credentials | null = login;
    await using server = await scripted(tokenRegistry().script);
    const registry = adapterFor([server.host], { credentials: async () => credentials });
    await registry.listTags(imageOn(server.host));
    credentials = { ...login, password: "another" };
    await registry.listTags(imageOn(server.host));
    const asked = server.heard.filter(({ path }) => path.startsWith("/token"));
    expect(asked.map(({ authorization }) => authorization)).toEqual([basic, basicHeader("pawl", "another")]);
  });

  test("may come as access_token, for a scope that the registry left out", async () => {
    await using server = await scripted(({ path, authorization }, response, host) => {
      if (path.startsWith("/token")) json(response, { access_token: "t" });
      else if (authorization === "Bearer t") json(response, { tags: [] });
      else challenge(response, `Bearer realm="http://${host}/token?account=x"`);
    });
    await adapterFor([server.host]).listTags(imageOn(server.host));
    expect(server.heard[1]?.path).toBe("/token?account=x&scope=repository%3Ateam%2Fapp%3Apull");
  });

  test("are renewed for a registry that answers 400 to an expired one, as ECR Public does", async () => {
    let given = 0;
    await using server = await scripted(({ path, authorization }, response, host) => {
      if (path.startsWith("/token")) json(response, { token: `t${(given += 1)}` });
      else if (authorization === null) challenge(response, `Bearer realm="http://${host}/token"`);
      else if (authorization === "Bearer t1" && server.heard.length > 3) json(response, {}, {}, 400);
      else json(response, { tags: ["1.0.0"] });
    });
    const registry = adapterFor([server.host]);
    await registry.listTags(imageOn(server.host));
    expect(await registry.listTags(imageOn(server.host))).toEqual(["1.0.0"]);
  });
});

describe("a user name and password", () => {
  test("go with every request once the registry has asked", async () => {
    await using server = await scripted(({ authorization }, response) =>
      authorization === basic ? json(response, { tags: ["1.0.0"] }) : challenge(response, 'Basic realm="reg"'),
    );
    const registry = adapterFor([server.host], { credentials: async () => login });
    await registry.listTags(imageOn(server.host));
    await registry.listTags(imageOn(server.host));
    expect(server.heard.map(({ authorization }) => authorization)).toEqual([null, basic, basic]);
  });

  test("are not sent to a registry that does not ask, nor looked for", async () => {
    await using server = await scripted((_, response) => json(response, { tags: ["1.0.0"] }));
    const credentials = () => Promise.reject(new Error("looked for"));
    await adapterFor([server.host], { credentials }).listTags(imageOn(server.host));
    expect(server.heard.map(({ authorization }) => authorization)).toEqual([null]);
  });

  test("that were refused are tried once for each operation, so that nobody is locked out", async () => {
    await using server = await scripted((_, response) => challenge(response, "Basic"));
    const registry = adapterFor([server.host], { credentials: async () => login });
    await failureOf(registry.listTags(imageOn(server.host)));
    const failure = await failureOf(registry.listTags(imageOn(server.host)));
    expect(failure.name).toBe("RegistryRefused");
    expect(server.heard.filter(({ authorization }) => authorization !== null)).toHaveLength(2);
  });
});
