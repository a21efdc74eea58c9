import { describe, expect, test } from "vitest";
import { basicHeader, firstOf } from "../../../functions/adapters/oci-registry/credentials.ts";
import { dockerConfigCredentials } from "../../../functions/adapters/oci-registry/docker-config.ts";
import { pullSecretCredentials } from "../../../functions/adapters/oci-registry/pull-secret-credentials.ts";
import { adapterFor, failureOf, imageOn, json, scripted } from "./scripted.ts";

function auth(username: string): { auth: string } {
  return { auth: Buffer.from(`${username}:s3cret-of-${username}`).toString("base64") };
}

const image = imageOn("r.example");
const one = JSON.stringify({ auths: { "r.example": auth("one") } });
const two = JSON.stringify({ auths: { "r.example": auth("two") } });
const other = JSON.stringify({ auths: { "s.example": auth("other") } });
const legacy = JSON.stringify({ "https://r.example/v1/": { ...auth("legacy"), email: "a@b" } });
const byHelper = JSON.stringify({ credHelpers: { "r.example": "ecr-login" }, credsStore: "desktop" });
const marked = JSON.stringify({ credsStore: "desktop", auths: { "r.example": {} } });

describe("the login in a workload's pull secrets", () => {
  test.for([
    { when: "there are none", logins: undefined, user: null },
    { when: "none is for the registry", logins: [other], user: null },
    { when: "two are for it", logins: [one, two], user: "one" },
    { when: "the first is for another", logins: [other, two, one], user: "two" },
    { when: "it is a .dockercfg", logins: [other, legacy], user: "legacy" },
    { when: "a .dockercfg is empty", logins: ["{}", one], user: "one" },
    { when: "a credential helper has it", logins: [byHelper], user: null },
    { when: "a credential store has it", logins: [marked, one], user: "one" },
  ])("$when: $user", async ({ logins, user }) => {
    const find = pullSecretCredentials();
    for (const _ of [1, 2]) {
      const found = await find(image, logins);
      expect(found?.kind === "password" ? found.username : found).toBe(user);
    }
  });

  test.for([
    { text: '{"auths": {"r.example": {"auth": "czNjcmV0"', says: "is not JSON" },
    { text: "", says: "is not JSON" },
    { text: '["czNjcmV0"]', says: "is not an object" },
    { text: '{"auths": {"s.example": {"auth": "czNjcmV0"}}}', says: 'auths["s.example"].auth is not the base64' },
    { text: '{"s.example": "czNjcmV0"}', says: '["s.example"] is not an object' },
    { text: '{"localhost": {"auth": "s3cret"}}', says: '["localhost"].auth is not the base64' },
  ])("is not guessed from $text, and the message does not show it", async ({ text, says }) => {
    const failure = await failureOf(pullSecretCredentials()(image, [other, text, one]));
    expect(failure.name).toBe("DockerConfigInvalid");
    expect(failure.message).toContain("r.example/team/app: pull secret 2 of 3 of the workload");
    expect(failure.message).toContain(says);
    expect(failure.message + failure.logged).not.toMatch(/czNjcmV0|s3cret/);
  });
});

describe("of several logins", () => {
  const role = { kind: "password", username: "AWS", password: "token" } as const;
  const deployment = dockerConfigCredentials(JSON.stringify({ auths: { "r.example": auth("deployment") } }), "config");
  test.for([
    { when: "the function's role has one", sources: [async () => role], logins: [one], user: "AWS" },
    { when: "the workload has one", sources: [async () => null], logins: [one], user: "one" },
    { when: "the workload has another's", sources: [], logins: [other], user: "deployment" },
    { when: "nobody but the deployment has one", sources: [], logins: undefined, user: "deployment" },
  ])("$when: $user", async ({ sources, logins, user }) => {
    const find = firstOf([...sources, pullSecretCredentials(), deployment]);
    expect(await find(image, logins)).toMatchObject({ username: user });
    expect(await find(imageOn("t.example"), logins)).toEqual(sources.length > 0 ? await sources[0]?.() : null);
  });
});

test("what one login is given is never used for another", async () => {
  await using server = await scripted(({ path, authorization }, response, host) => {
    const asks = { "www-authenticate": `Bearer realm="http://${host}/token",service="reg"` };
    if (path.startsWith("/token"))
      json(response, { token: `for-${Buffer.from(authorization ?? "nobody").toString("hex")}` });
    else if (authorization === null) json(response, {}, asks, 401);
    else json(response, { tags: [authorization.slice("Bearer for-".length, 80)] });
  });
  const registry = adapterFor([server.host], { credentials: pullSecretCredentials() });
  const texts = ["one", "two"].map((name) => JSON.stringify({ auths: { [server.host]: auth(name) } }));
  const asked = [[texts[0] ?? ""], [texts[1] ?? ""], [], [...texts].reverse(), texts];
  const listed = [];
  for (const logins of asked) listed.push((await registry.listTags(imageOn(server.host), logins))[0]);
  const tagFor = (user: string) =>
    Buffer.from(basicHeader(user, `s3cret-of-${user}`))
      .toString("hex")
      .slice(0, 69);
  expect(listed[0]).toBe(tagFor("one"));
  expect(listed).toEqual([
    tagFor("one"),
    tagFor("two"),
    Buffer.from("nobody").toString("hex"),
    tagFor("two"),
    tagFor("one"),
  ]);
  expect(server.heard.filter(({ path }) => path.startsWith("/token"))).toHaveLength(3);
});
