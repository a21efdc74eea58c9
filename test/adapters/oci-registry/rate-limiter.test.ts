import { secondsAfter } from "../../../functions/domain/text/rfc3339.ts";
import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { basicAuthorization } from "../../../functions/adapters/oci-registry/credentials/credentials.ts";
import { createAdapter, catchError, imageAt, json, login, noon, startScriptedServer } from "./scripted-server.ts";

const tags = { tags: ["1.0.0"] };
const manifest = { schemaVersion: 2 };

function tooMany(response: ServerResponse, headers: Record<string, string> = {}): void {
  json(response, {}, headers, 429);
}

describe("after a 429", () => {
  test.for<{ sends: string; headers: Record<string, string>; random: number; backoffSeconds: number }>([
    { sends: "a delay", headers: { "retry-after": "20" }, random: 0, backoffSeconds: 20 },
    { sends: "a delay, with jitter", headers: { "retry-after": "20" }, random: 1, backoffSeconds: 25 },
    { sends: "nothing", headers: {}, random: 0, backoffSeconds: 60 },
    { sends: "a day", headers: { "retry-after": "86400" }, random: 0, backoffSeconds: 3600 },
    { sends: "a day, with jitter", headers: { "retry-after": "86400" }, random: 1, backoffSeconds: 3660 },
    { sends: "a delay of zero", headers: { "retry-after": "0" }, random: 1, backoffSeconds: 0 },
  ])(
    "that sends $sends, the host is not called for $backoffSeconds seconds",
    async ({ headers, random, backoffSeconds }) => {
      let time = noon;
      await using server = await startScriptedServer((_, response) => tooMany(response, headers));
      const registry = createAdapter([server.host], { now: () => time, random: () => random });
      const list = () => catchError(registry.listTags(imageAt(server.host)));
      await list();
      time = secondsAfter(noon, Math.max(0, backoffSeconds - 0.5));
      const meanwhile = await list();
      expect(meanwhile.name).toBe("Throttled");
      expect(server.requests).toHaveLength(backoffSeconds === 0 ? 2 : 1);
      expect(meanwhile.message).toContain(
        backoffSeconds === 0 ? "retry after 0 seconds" : "no request for another 1 seconds",
      );
      time = secondsAfter(noon, backoffSeconds + 0.001);
      await list();
      expect(server.requests).toHaveLength(backoffSeconds === 0 ? 3 : 2);
    },
  );

  test("no repository of the host is called, and other hosts are", async () => {
    await using throttled = await startScriptedServer((_, response) => tooMany(response));
    await using other = await startScriptedServer((_, response) => json(response, tags));
    const registry = createAdapter([throttled.host, other.host]);
    await catchError(registry.listTags(imageAt(throttled.host)));
    const images = ["a", "b"].map((repository) => imageAt(throttled.host, { repository }));
    for (const image of images) expect((await catchError(registry.digestOf(image))).name).toBe("Throttled");
    expect(await registry.listTags(imageAt(other.host))).toEqual(tags.tags);
    expect(throttled.requests).toHaveLength(1);
  });

  test("the host is not called with the throttled login, for new repositories either", async () => {
    const basic = basicAuthorization(login.username, login.password);
    await using server = await startScriptedServer(({ authorization }, response) => {
      if (authorization === null) json(response, {}, { "www-authenticate": "Basic" }, 401);
      else if (authorization === basic) tooMany(response);
      else json(response, tags);
    });
    let current = { ...login } as { kind: "password"; username: string; password: string };
    const registry = createAdapter([server.host], { credentials: async () => current });
    const list = (repository: string) => catchError(registry.listTags(imageAt(server.host, { repository })));
    expect((await list("a")).name).toBe("Throttled");
    const before = server.requests.length;
    expect([(await list("a")).name, (await list("b")).name]).toEqual(["Throttled", "Throttled"]);
    expect(server.requests).toHaveLength(before);
    current = { ...login, username: "other" };
    expect([(await list("a")).name, (await list("c")).name]).toEqual(["no error", "no error"]);
  });

  test("of its token endpoint, the host is not called either", async () => {
    await using server = await startScriptedServer(({ path }, response, host) => {
      if (path.startsWith("/token")) tooMany(response, { "retry-after": "9" });
      else json(response, {}, { "www-authenticate": `Bearer realm="http://${host}/token"` }, 401);
    });
    const registry = createAdapter([server.host]);
    for (const repository of ["a", "a", "b"])
      expect((await catchError(registry.listTags(imageAt(server.host, { repository })))).name).toBe("Throttled");
    expect(server.requests).toHaveLength(2);
  });
});

describe("before a quota is exhausted", () => {
  test("the last pulls of Docker Hub are reserved for the nodes; HEAD and tag lists continue, and report when there are more", async () => {
    let remaining = 10;
    const source = { "docker-ratelimit-source": "192.0.2.1", "ratelimit-limit": "100;w=21600" };
    await using server = await startScriptedServer(({ method, path }, response) => {
      const headers = { ...source, "ratelimit-remaining": `${remaining};w=21600` };
      if (method === "HEAD")
        response.writeHead(200, { ...headers, "docker-content-digest": `sha256:${"ab".repeat(32)}` }).end();
      else json(response, path.endsWith("list") ? tags : manifest, headers);
    });
    const registry = createAdapter([server.host]);
    const pull = () => catchError(registry.digestsOf(imageAt(server.host)));
    expect((await pull()).name).toBe("no error");
    expect(await pull()).toMatchObject({
      name: "Throttled",
      message: expect.stringMatching(
        /allows 10 of 100 pulls more, which are reserved for the nodes.*another 3600 seconds/,
      ),
    });
    expect(await registry.listTags(imageAt(server.host))).toEqual(tags.tags);
    remaining = 50;
    await registry.digestOf(imageAt(server.host));
    expect((await pull()).name).toBe("no error");
    expect(server.requests.map(({ method }) => method)).toEqual(["GET", "HEAD", "GET", "HEAD", "HEAD", "GET"]);
  });

  test.for([
    { when: "far apart", resetSeconds: 60, names: ["no error", "no error", "Throttled"] },
    { when: "close together", resetSeconds: 1, names: ["no error", "no error", "no error"] },
  ])("the last requests are spread over the window, $when", async ({ resetSeconds, names }) => {
    const headers = { "ratelimit-limit": "1000", "ratelimit-remaining": "10", "ratelimit-reset": String(resetSeconds) };
    await using server = await startScriptedServer((_, response) => json(response, tags, headers));
    const registry = createAdapter([server.host]);
    const results = [];
    for (const _ of names) results.push((await catchError(registry.listTags(imageAt(server.host)))).name);
    expect(results).toEqual(names);
    expect(server.requests).toHaveLength(names.filter((name) => name === "no error").length);
  });
});
