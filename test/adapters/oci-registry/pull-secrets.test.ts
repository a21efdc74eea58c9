import { describe, expect, test } from "vitest";
import {
  basicAuthorization,
  chainCredentials,
} from "../../../functions/adapters/oci-registry/credentials/credentials.ts";
import { dockerConfigCredentials } from "../../../functions/adapters/oci-registry/credentials/docker-config-credentials.ts";
import { pullSecretCredentials } from "../../../functions/adapters/oci-registry/credentials/pull-secret-credentials.ts";
import { createAdapter, catchError, imageAt, json, startScriptedServer } from "./scripted-server.ts";

function auth(username: string): { auth: string } {
  return { auth: Buffer.from(`${username}:s3cret-of-${username}`).toString("base64") };
}

const image = imageAt("r.example");
const one = JSON.stringify({ auths: { "r.example": auth("one") } });
const two = JSON.stringify({ auths: { "r.example": auth("two") } });
const other = JSON.stringify({ auths: { "s.example": auth("other") } });
const legacy = JSON.stringify({ "https://r.example/v1/": { ...auth("legacy"), email: "a@b" } });
const byHelper = JSON.stringify({ credHelpers: { "r.example": "ecr-login" }, credsStore: "desktop" });
const inStore = JSON.stringify({ credsStore: "desktop", auths: { "r.example": {} } });

describe("the login in a workload's pull secrets", () => {
  test.for([
    { when: "there are none", logins: undefined, user: null },
    { when: "none is for the registry", logins: [other], user: null },
    { when: "two are for it", logins: [one, two], user: "one" },
    { when: "the first is for another", logins: [other, two, one], user: "two" },
    { when: "it is a .dockercfg", logins: [other, legacy], user: "legacy" },
    { when: "a .dockercfg is empty", logins: ["{}", one], user: "one" },
    { when: "a credential helper has it", logins: [byHelper], user: null },
    { when: "a credential store has it", logins: [inStore, one], user: "one" },
  ])("$when: $user", async ({ logins, user }) => {
    const find = pullSecretCredentials();
    for (const _ of [1, 2]) {
      const login = await find(image, logins);
      expect(login?.kind === "password" ? login.username : login).toBe(user);
    }
  });

  test.for([
    { text: '{"auths": {"r.example": {"auth": "czNjcmV0"', message: "is not JSON" },
    { text: "", message: "is not JSON" },
    { text: '["czNjcmV0"]', message: "is not an object" },
    { text: '{"auths": {"s.example": {"auth": "czNjcmV0"}}}', message: 'auths["s.example"].auth is not the base64' },
    { text: '{"s.example": "czNjcmV0"}', message: '["s.example"] is not an object' },
    { text: '{"localhost": {"auth": "s3cret"}}', message: '["localhost"].auth is not the base64' },
  ])("is rejected if it is $text, and the message does not show it", async ({ text, message }) => {
    const failure = await catchError(pullSecretCredentials()(image, [other, text, one]));
    expect(failure.name).toBe("DockerConfigInvalid");
    expect(failure.message).toContain("r.example/team/app: pull secret 2 of 3 of the workload");
    expect(failure.message).toContain(message);
    expect(failure.message + failure.logged).not.toMatch(/czNjcmV0|s3cret/);
  });
});

describe("with several sources, the login is the first one", () => {
  const role = { kind: "password", username: "AWS", password: "token" } as const;
  const deployment = dockerConfigCredentials(JSON.stringify({ auths: { "r.example": auth("deployment") } }), "config");
  test.for([
    { when: "the function's role has one", sources: [async () => role], logins: [one], user: "AWS" },
    { when: "the workload has one", sources: [async () => null], logins: [one], user: "one" },
    { when: "the workload has one for another registry", sources: [], logins: [other], user: "deployment" },
    { when: "only the deployment has one", sources: [], logins: undefined, user: "deployment" },
  ])("$when: $user", async ({ sources, logins, user }) => {
    const find = chainCredentials([...sources, pullSecretCredentials(), deployment]);
    expect(await find(image, logins)).toMatchObject({ username: user });
    expect(await find(imageAt("t.example"), logins)).toEqual(sources.length > 0 ? await sources[0]?.() : null);
  });
});

test("a token or response of one login is never used for another", async () => {
  await using server = await startScriptedServer(({ path, authorization }, response, host) => {
    const challenge = { "www-authenticate": `Bearer realm="http://${host}/token",service="reg"` };
    if (path.startsWith("/token"))
      json(response, { token: `for-${Buffer.from(authorization ?? "anonymous").toString("hex")}` });
    else if (authorization === null) json(response, {}, challenge, 401);
    else json(response, { tags: [authorization.slice("Bearer for-".length, 80)] });
  });
  const registry = createAdapter([server.host], { credentials: pullSecretCredentials() });
  const texts = ["one", "two"].map((name) => JSON.stringify({ auths: { [server.host]: auth(name) } }));
  const loginLists = [[texts[0] ?? ""], [texts[1] ?? ""], [], [...texts].reverse(), texts];
  const listed = [];
  for (const logins of loginLists) listed.push((await registry.listTags(imageAt(server.host), logins))[0]);
  const tagFor = (user: string) =>
    Buffer.from(basicAuthorization(user, `s3cret-of-${user}`))
      .toString("hex")
      .slice(0, 69);
  expect(listed[0]).toBe(tagFor("one"));
  expect(listed).toEqual([
    tagFor("one"),
    tagFor("two"),
    Buffer.from("anonymous").toString("hex"),
    tagFor("two"),
    tagFor("one"),
  ]);
  expect(server.requests.filter(({ path }) => path.startsWith("/token"))).toHaveLength(3);
});
