import { describe, expect, test } from "vitest";
import { dockerConfigCredentials } from "../../../functions/adapters/oci-registry/credentials/docker-config-credentials.ts";
import { createAdapter, catchError, json, startScriptedServer } from "./scripted-server.ts";

function auth(pair: string): string {
  return Buffer.from(pair).toString("base64");
}

/** A login with a wildcard is for these hosts. */
const explicit: readonly string[] = ["shop.azurecr.io", "a.azurecr.io", "submarine.k8s.io"];

function createCredentials(config: unknown, repositories = explicit) {
  return dockerConfigCredentials(JSON.stringify(config), "config.json", repositories);
}

function image(reference: string) {
  const [registry = "", ...path] = reference.split("/");
  return { registry, repository: path.join("/"), tag: null, digest: null };
}

describe("the login for an image", () => {
  test.for([
    { key: "reg.example", reference: "reg.example/team/app", found: true },
    { key: "https://reg.example/v2/", reference: "reg.example/team/app", found: true },
    { key: "REG.example", reference: "reg.example/team/app", found: true },
    { key: "reg.example:5000", reference: "reg.example/team/app", found: false },
    { key: "reg.example:5000", reference: "reg.example:5000/team/app", found: true },
    { key: "reg.example/team", reference: "reg.example/team/app", found: true },
    { key: "reg.example/team/app", reference: "reg.example/team/app", found: true },
    { key: "reg.example/tea", reference: "reg.example/team/app", found: false },
    { key: "example", reference: "reg.example/team/app", found: false },
    { key: "https://index.docker.io/v1/", reference: "registry-1.docker.io/library/nginx", found: true },
    { key: "index.docker.io", reference: "registry-1.docker.io/library/nginx", found: true },
    { key: "docker.io/library", reference: "registry-1.docker.io/library/nginx", found: true },
    { key: "docker.io/library", reference: "registry-1.docker.io/bitnami/nginx", found: false },
    { key: "docker.io", reference: "ghcr.io/library/nginx", found: false },
    { key: "reg.example", reference: "reg.example:5000/team/app", found: false },
    { key: "*.azurecr.io", reference: "shop.azurecr.io/team/app", found: true },
    { key: "https://*.azurecr.io/v2/", reference: "shop.azurecr.io/team/app", found: true },
    { key: "*.azurecr.io", reference: "shop.azurecr.io:5000/team/app", found: false },
    { key: "*.azurecr.io", reference: "a.b.azurecr.io/team/app", found: false },
    { key: "*.azurecr.io", reference: "shop.azurecr.io.evil.example/team/app", found: false },
    { key: "sub*.k8s.io/team", reference: "submarine.k8s.io/team/app", found: true },
  ])("under $key for $reference: $found", async ({ key, reference, found }) => {
    const login = { kind: "password", username: "u", password: "p:w" };
    expect(await createCredentials({ auths: { [key]: { auth: auth("u:p:w") } } })(image(reference))).toEqual(
      found ? login : null,
    );
  });

  test.for([
    ["*.azurecr.io", "a.azurecr.io"],
    ["a.azurecr.io", "*.azurecr.io"],
  ])("is the exact key of %s and %s, in any order", async (keys) => {
    const auths = Object.fromEntries(keys.map((key) => [key, { auth: auth(`${key}:p`) }]));
    const login = await createCredentials({ auths })(image("a.azurecr.io/app"));
    expect(login).toMatchObject({ username: "a.azurecr.io" });
  });

  test("is the one with the longest key, in any order", async () => {
    const auths = {
      "r.example": { auth: auth("short:1") },
      "r.example/a/b": { auth: auth("long:1") },
      "r.example/a": { auth: auth("mid:1") },
    };
    const found = await Promise.all(
      ["r.example/x", "r.example/a/x", "r.example/a/b"].map((one) => createCredentials({ auths })(image(one))),
    );
    expect(found.map((one) => one?.kind === "password" && one.username)).toEqual(["short", "mid", "long"]);
  });

  test.for([
    { entry: { auth: auth("u:p\0\0") }, login: { kind: "password", username: "u", password: "p" } },
    { entry: { username: "u", password: "p", email: "x" }, login: { kind: "password", username: "u", password: "p" } },
    { entry: { auth: auth("u:p"), username: "other" }, login: { kind: "password", username: "u", password: "p" } },
    { entry: { auth: auth("u:"), identitytoken: "t" }, login: { kind: "identity-token", token: "t" } },
    { entry: {}, login: null },
  ])("is read from $entry", async ({ entry, login }) => {
    expect(await createCredentials({ auths: { "r.example": entry } })(image("r.example/a"))).toEqual(login);
  });

  test("is null if the file has none", async () => {
    expect(await createCredentials({})(image("r.example/a"))).toBeNull();
  });
});

describe("a login that only a credential helper has", () => {
  test.for([
    { when: "the host has a helper", config: { credHelpers: { "r.example": "ecr-login" } }, rejected: '"ecr-login"' },
    { when: "the store has it", config: { credsStore: "desktop", auths: { "r.example": {} } }, rejected: '"desktop"' },
    { when: "the store has others", config: { credsStore: "desktop", auths: { "s.example": {} } }, rejected: null },
    { when: "another host has a helper", config: { credHelpers: { "s.example": "ecr-login" } }, rejected: null },
    {
      when: "the file has it too",
      config: { credsStore: "desktop", auths: { "r.example": { auth: auth("u:p") } } },
      rejected: null,
    },
  ])("$when: rejected for $rejected", async ({ config, rejected }) => {
    const failure = await catchError(createCredentials(config)(image("r.example/a")));
    expect(failure.name).toBe(rejected === null ? "no error" : "RegistryUnauthorized");
    expect(failure.message).toContain(rejected ?? "");
  });

  test("is not needed if the registry requires none", async () => {
    await using server = await startScriptedServer((_, response) => json(response, { tags: ["1.0.0"] }));
    const credentials = createCredentials({ credHelpers: { [server.host]: "ecr-login" } });
    expect(await createAdapter([server.host], { credentials }).listTags(image(`${server.host}/a`))).toEqual(["1.0.0"]);
  });
});

describe("an invalid file", () => {
  test.for([
    {
      text: '{"auths": {"r.example": {"auth": "c2VjcmV0OnNlY3JldA=="}}, oops',
      message: "config.json is not JSON (line 1 column 60).",
    },
    { text: '{"auths": c2VjcmV0', message: "config.json is not JSON." },
    { text: "[]", message: "config.json is not an object." },
    { text: '{"auths": []}', message: "config.json: auths is not an object." },
    { text: '{"auths": {"r.example": "c2VjcmV0"}}', message: 'config.json: auths["r.example"] is not an object.' },
    {
      text: '{"auths": {"r.example": {"auth": "c2VjcmV0"}}}',
      message: 'config.json: auths["r.example"].auth is not the base64 of user:password.',
    },
    {
      text: '{"auths": {"r.example": {"auth": "u:p"}}}',
      message: 'config.json: auths["r.example"].auth is not the base64 of user:password.',
    },
    { text: '{"auths": {"r.example": {"auth": 7}}}', message: 'config.json: auths["r.example"].auth is not a string.' },
    { text: '{"credHelpers": {"r.example": {}}}', message: 'config.json: credHelpers["r.example"] is not a string.' },
    { text: '{"credsStore": 1}', message: "config.json: credsStore is not a string." },
  ])("is reported without its content: $text", async ({ text, message }) => {
    const failure = await catchError(Promise.resolve().then(() => dockerConfigCredentials(text, "config.json")));
    expect(failure.name).toBe("DockerConfigInvalid");
    expect(failure.message).toContain(message);
    expect(failure.message + failure.logged).not.toMatch(/c2VjcmV0|secret/);
  });
});

describe("a login for *.azurecr.io", () => {
  const config = { auths: { "*.azurecr.io": { username: "u", password: "p" } } };

  const login = (repositories: readonly string[]) =>
    createCredentials(config, repositories)(image("shop.azurecr.io/team/app"));

  test.for(["shop.azurecr.io", "shop.azurecr.io/team"])("is sent to a host that is listed: %s", async (listed) => {
    expect(await login([listed])).toMatchObject({ username: "u" });
  });

  test.for([["shop.azurecr.io/other"], ["*.azurecr.io"], []])("is not sent to one that is not: %s", async (listed) => {
    expect(await catchError(login(listed))).toMatchObject({
      name: "RegistryUnauthorized",
      message: expect.stringContaining("has a login for *.azurecr.io, which is sent only to hosts that a list names"),
    });
  });
});
