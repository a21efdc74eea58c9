import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { basicHeader } from "../../../functions/adapters/oci-registry/credentials.ts";
import { secondsAfter } from "../../../functions/adapters/renewed.ts";
import { adapterFor, failureOf, imageOn, json, login, noon, scripted } from "./scripted.ts";

const tags = { tags: ["1.0.0"] };
const manifest = { schemaVersion: 2 };

function tooMany(response: ServerResponse, headers: Record<string, string> = {}): void {
  json(response, {}, headers, 429);
}

describe("a host that has answered 429", () => {
  test.for<{ says: string; headers: Record<string, string>; random: number; alone: number }>([
    { says: "a delay", headers: { "retry-after": "20" }, random: 0, alone: 20 },
    { says: "a delay, with jitter", headers: { "retry-after": "20" }, random: 1, alone: 25 },
    { says: "nothing", headers: {}, random: 0, alone: 60 },
    { says: "a day", headers: { "retry-after": "86400" }, random: 0, alone: 3600 },
    { says: "a day, with jitter", headers: { "retry-after": "86400" }, random: 1, alone: 3660 },
    { says: "that nobody need wait", headers: { "retry-after": "0" }, random: 1, alone: 0 },
  ])("and says $says is left alone for $alone seconds", async ({ headers, random, alone }) => {
    let time = noon;
    await using server = await scripted((_, response) => tooMany(response, headers));
    const registry = adapterFor([server.host], { now: () => time, random: () => random });
    const list = () => failureOf(registry.listTags(imageOn(server.host)));
    await list();
    time = secondsAfter(noon, Math.max(0, alone - 0.5));
    const meanwhile = await list();
    expect(meanwhile.name).toBe("Throttled");
    expect(server.heard).toHaveLength(alone === 0 ? 2 : 1);
    expect(meanwhile.message).toContain(alone === 0 ? "left alone for 0 seconds" : "left alone for another 1 seconds");
    time = secondsAfter(noon, alone + 0.001);
    await list();
    expect(server.heard).toHaveLength(alone === 0 ? 3 : 2);
  });

  test("is left alone for every repository, and others are not", async () => {
    await using throttled = await scripted((_, response) => tooMany(response));
    await using other = await scripted((_, response) => json(response, tags));
    const registry = adapterFor([throttled.host, other.host]);
    await failureOf(registry.listTags(imageOn(throttled.host)));
    const rest = ["a", "b"].map((repository) => imageOn(throttled.host, { repository }));
    for (const image of rest) expect((await failureOf(registry.digestOf(image))).name).toBe("Throttled");
    expect(await registry.listTags(imageOn(other.host))).toEqual(tags.tags);
    expect(throttled.heard).toHaveLength(1);
  });

  test("is left alone by the login it was said to, for repositories not asked for before too", async () => {
    const basic = basicHeader(login.username, login.password);
    await using server = await scripted(({ authorization }, response) => {
      if (authorization === null) json(response, {}, { "www-authenticate": "Basic" }, 401);
      else if (authorization === basic) tooMany(response);
      else json(response, tags);
    });
    let current = { ...login } as { kind: "password"; username: string; password: string };
    const registry = adapterFor([server.host], { credentials: async () => current });
    const list = (repository: string) => failureOf(registry.listTags(imageOn(server.host, { repository })));
    expect((await list("a")).name).toBe("Throttled");
    const before = server.heard.length;
    expect([(await list("a")).name, (await list("b")).name]).toEqual(["Throttled", "Throttled"]);
    expect(server.heard).toHaveLength(before);
    current = { ...login, username: "other" };
    expect([(await list("a")).name, (await list("c")).name]).toEqual(["no error", "no error"]);
  });

  test("by its token endpoint is left alone as well", async () => {
    await using server = await scripted(({ path }, response, host) => {
      if (path.startsWith("/token")) tooMany(response, { "retry-after": "9" });
      else json(response, {}, { "www-authenticate": `Bearer realm="http://${host}/token"` }, 401);
    });
    const registry = adapterFor([server.host]);
    for (const repository of ["a", "a", "b"])
      expect((await failureOf(registry.listTags(imageOn(server.host, { repository })))).name).toBe("Throttled");
    expect(server.heard).toHaveLength(2);
  });
});

describe("before the wall", () => {
  test("the last pulls of Docker Hub are left to the nodes; HEAD and lists of tags go on, and tell when there are more", async () => {
    let remaining = 10;
    const source = { "docker-ratelimit-source": "192.0.2.1", "ratelimit-limit": "100;w=21600" };
    await using server = await scripted(({ method, path }, response) => {
      const headers = { ...source, "ratelimit-remaining": `${remaining};w=21600` };
      if (method === "HEAD")
        response.writeHead(200, { ...headers, "docker-content-digest": `sha256:${"ab".repeat(32)}` }).end();
      else json(response, path.endsWith("list") ? tags : manifest, headers);
    });
    const registry = adapterFor([server.host]);
    const pull = () => failureOf(registry.digestsOf(imageOn(server.host)));
    expect((await pull()).name).toBe("no error");
    expect(await pull()).toMatchObject({
      name: "Throttled",
      message: expect.stringMatching(/allows 10 of 100 pulls more, which are left to the nodes.*another 3600 seconds/),
    });
    expect(await registry.listTags(imageOn(server.host))).toEqual(tags.tags);
    remaining = 50;
    await registry.digestOf(imageOn(server.host));
    expect((await pull()).name).toBe("no error");
    expect(server.heard.map(({ method }) => method)).toEqual(["GET", "GET", "HEAD", "GET"]);
  });

  test.for([
    { when: "far apart", resetSeconds: 60, names: ["no error", "no error", "Throttled"] },
    { when: "close together", resetSeconds: 1, names: ["no error", "no error", "no error"] },
  ])("the last requests are spread over the window, $when", async ({ resetSeconds, names }) => {
    const headers = { "ratelimit-limit": "1000", "ratelimit-remaining": "10", "ratelimit-reset": String(resetSeconds) };
    await using server = await scripted((_, response) => json(response, tags, headers));
    const registry = adapterFor([server.host]);
    const found = [];
    for (const _ of names) found.push((await failureOf(registry.listTags(imageOn(server.host)))).name);
    expect(found).toEqual(names);
    expect(server.heard).toHaveLength(names.filter((name) => name === "no error").length);
  });
});
