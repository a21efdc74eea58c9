import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { createAdapter, catchError, imageAt, json, login, startScriptedServer } from "./scripted-server.ts";

describe("a tag list", () => {
  test.for([
    { when: "there are no tags, as Go encodes it", body: { tags: null }, tags: [] },
    { when: "there are no tags", body: { tags: [] }, tags: [] },
    { when: "the registry has its own order", body: { tags: ["b", "a", "1.0"] }, tags: ["b", "a", "1.0"] },
    { when: "a tag is repeated", body: { tags: ["a", "b", "a"] }, tags: ["a", "b"] },
  ])("$when", async ({ body, tags }) => {
    await using server = await startScriptedServer((_, response) => json(response, body));
    expect(await createAdapter([server.host]).listTags(imageAt(server.host))).toEqual(tags);
  });

  test("continues after an empty page, and after a page that has grown meanwhile", async () => {
    const pages: Record<string, readonly [readonly string[], string | null]> = {
      "/v2/team/app/tags/list?n=2": [["a", "b"], "n=2&last=b"],
      "/v2/team/app/tags/list?n=2&last=b": [[], "n=2&last=bb"],
      "/v2/team/app/tags/list?n=2&last=bb": [["b", "c"], null],
    };
    await using server = await startScriptedServer(({ path }, response) => {
      const [tags, next] = pages[path] ?? [null, null];
      json(response, { tags }, next === null ? {} : { link: `<list?${next}>; rel=next` });
    });
    const registry = createAdapter([server.host], { limits: { pageSize: 2 } });
    expect(await registry.listTags(imageAt(server.host))).toEqual(["a", "b", "c"]);
  });

  test("uses plain HTTP for configured hosts only, loopback included", async () => {
    await using server = await startScriptedServer((_, response) => json(response, { tags: ["1.0.0"] }));
    const failure = await catchError(createAdapter([], { allowed: [server.host] }).listTags(imageAt(server.host)));
    expect(failure).toMatchObject({
      name: "Unreachable",
      message: expect.stringMatching(/does not speak TLS.*registries\.insecureHosts.*--insecure-registry/),
    });
    expect(server.requests).toEqual([]);
  });

  test("runs no more than the allowed number of operations per host at the same time", async () => {
    const pending: ServerResponse[] = [];
    let maxConcurrent = 0;
    await using server = await startScriptedServer((_, response) => {
      maxConcurrent = Math.max(maxConcurrent, pending.push(response));
      setTimeout(() => json(pending.shift() ?? response, { tags: ["1.0.0"] }), 5);
    });
    const registry = createAdapter([server.host], { limits: { concurrentPerHost: 2, requestSeconds: 10 } });
    await Promise.all(Array.from({ length: 8 }, () => registry.listTags(imageAt(server.host))));
    expect(maxConcurrent).toBe(2);
    expect(server.requests).toHaveLength(8);
  });

  test("connections are reused, also after errors and redirects", async () => {
    const connections = new Set<unknown>();
    await using server = await startScriptedServer(({ path, authorization }, response) => {
      connections.add(response.socket);
      if (authorization === null) json(response, { errors: [] }, { "www-authenticate": "Basic" }, 401);
      else if (path.includes("gone")) json(response, { errors: [] }, {}, 404);
      else if (path.includes("moved")) response.writeHead(307, { location: "/v2/team/app/tags/list" }).end("moved");
      else json(response, { tags: ["1.0.0"] });
    });
    const registry = createAdapter([server.host], { credentials: async () => login });
    for (const repository of ["team/app", "gone", "moved", "team/app"])
      await catchError(registry.listTags(imageAt(server.host, { repository })));
    await registry.digestsOf(imageAt(server.host)).catch(() => null);
    expect(server.requests.length).toBeGreaterThan(8);
    // The client may open another connection if the first is released slightly later.
    expect(connections.size).toBeLessThan(4);
  });
});
