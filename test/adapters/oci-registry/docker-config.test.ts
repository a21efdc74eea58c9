import { describe, expect, test } from "vitest";
import { dockerConfigCredentials } from "../../../functions/adapters/oci-registry/docker-config.ts";
import { adapterFor, failureOf, json, scripted } from "./scripted.ts";

function auth(pair: string): string {
  return Buffer.from(pair).toString("base64");
}

function credentialsIn(config: unknown) {
  return dockerConfigCredentials(JSON.stringify(config), "config.json");
}

function image(reference: string) {
  const [registry = "", ...path] = reference.split("/");
  return { registry, repository: path.join("/"), tag: null, digest: null };
}

describe("the login for an image", () => {
  test.for([
    { key: "reg.example", of: "reg.example/team/app", found: true },
    { key: "https://reg.example/v2/", of: "reg.example/team/app", found: true },
    { key: "REG.example", of: "reg.example/team/app", found: true },
    { key: "reg.example:5000", of: "reg.example/team/app", found: false },
    { key: "reg.example:5000", of: "reg.example:5000/team/app", found: true },
    { key: "reg.example/team", of: "reg.example/team/app", found: true },
    { key: "reg.example/team/app", of: "reg.example/team/app", found: true },
    { key: "reg.example/tea", of: "reg.example/team/app", found: false },
    { key: "example", of: "reg.example/team/app", found: false },
    { key: "https://index.docker.io/v1/", of: "registry-1.docker.io/library/nginx", found: true },
    { key: "index.docker.io", of: "registry-1.docker.io/library/nginx", found: true },
    { key: "docker.io/library", of: "registry-1.docker.io/library/nginx", found: true },
    { key: "docker.io/library", of: "registry-1.docker.io/bitnami/nginx", found: false },
    { key: "docker.io", of: "ghcr.io/library/nginx", found: false },
  ])("under $key for $of: $found", async ({ key, of, found }) => {
    const login = { kind: "password", username: "u", password: "p:w" };
    expect(await credentialsIn({ auths: { [key]: { auth: auth("u:p:w") } } })(image(of))).toEqual(found ? login : null);
  });

  test("is the one with the longest key, whatever their order", async () => {
    const auths = {
      "r.example": { auth: auth("short:1") },
      "r.example/a/b": { auth: auth("long:1") },
      "r.example/a": { auth: auth("mid:1") },
    };
    const found = await Promise.all(
      ["r.example/x", "r.example/a/x", "r.example/a/b"].map((one) => credentialsIn({ auths })(image(one))),
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
    expect(await credentialsIn({ auths: { "r.example": entry } })(image("r.example/a"))).toEqual(login);
  });

  test("is none where the file has none", async () => {
    expect(await credentialsIn({})(image("r.example/a"))).toBeNull();
  });
});

describe("a login that only a credential helper has", () => {
  test.for([
    { when: "the host has a helper", config: { credHelpers: { "r.example": "ecr-login" } }, refused: '"ecr-login"' },
    { when: "the store keeps it", config: { credsStore: "desktop", auths: { "r.example": {} } }, refused: '"desktop"' },
    { when: "the store keeps others", config: { credsStore: "desktop", auths: { "s.example": {} } }, refused: null },
    { when: "another host has a helper", config: { credHelpers: { "s.example": "ecr-login" } }, refused: null },
    {
      when: "the file has it too",
      config: { credsStore: "desktop", auths: { "r.example": { auth: auth("u:p") } } },
      refused: null,
    },
  ])("$when: refused for $refused", async ({ config, refused }) => {
    const failure = await failureOf(credentialsIn(config)(image("r.example/a")));
    expect(failure.name).toBe(refused === null ? "no error" : "RegistryRefused");
    expect(failure.message).toContain(refused ?? "");
  });

  test("is not missed where the registry wants none", async () => {
    await using server = await scripted((_, response) => json(response, { tags: ["1.0.0"] }));
    const credentials = credentialsIn({ credHelpers: { [server.host]: "ecr-login" } });
    expect(await adapterFor([server.host], { credentials }).listTags(image(`${server.host}/a`))).toEqual(["1.0.0"]);
  });
});

describe("a file that cannot be read", () => {
  test.for([
    {
      text: '{"auths": {"r.example": {"auth": "c2VjcmV0OnNlY3JldA=="}}, oops',
      says: "config.json is not JSON (line 1 column 60).",
    },
    { text: '{"auths": c2VjcmV0', says: "config.json is not JSON." },
    { text: "[]", says: "config.json is not an object." },
    { text: '{"auths": []}', says: "config.json: auths is not an object." },
    { text: '{"auths": {"r.example": "c2VjcmV0"}}', says: 'config.json: auths["r.example"] is not an object.' },
    {
      text: '{"auths": {"r.example": {"auth": "c2VjcmV0"}}}',
      says: 'config.json: auths["r.example"].auth is not the base64 of user:password.',
    },
    {
      text: '{"auths": {"r.example": {"auth": "u:p"}}}',
      says: 'config.json: auths["r.example"].auth is not the base64 of user:password.',
    },
    { text: '{"auths": {"r.example": {"auth": 7}}}', says: 'config.json: auths["r.example"].auth is not a string.' },
    { text: '{"credHelpers": {"r.example": {}}}', says: 'config.json: credHelpers["r.example"] is not a string.' },
    { text: '{"credsStore": 1}', says: "config.json: credsStore is not a string." },
  ])("is said to be so, without showing what it holds: $text", async ({ text, says }) => {
    const failure = await failureOf(Promise.resolve().then(() => dockerConfigCredentials(text, "config.json")));
    expect(failure.name).toBe("DockerConfigInvalid");
    expect(failure.message).toContain(says);
    expect(failure.message + failure.logged).not.toMatch(/c2VjcmV0|secret/);
  });
});
