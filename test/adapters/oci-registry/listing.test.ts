import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { adapterFor, failureOf, imageOn, json, login, scripted } from "./scripted.ts";

describe("what is a listing", () => {
  test.for([
    { when: "there are no tags, as Go writes it", body: { tags: null }, tags: [] },
    { when: "there are no tags", body: { tags: [] }, tags: [] },
    { when: "the order is the registry's own", body: { tags: ["b", "a", "1.0"] }, tags: ["b", "a", "1.0"] },
    { when: "a tag comes twice", body: { tags: ["a", "b", "a"] }, tags: ["a", "b"] },
  ])("$when", async ({ body, tags }) => {
    await using server = await scripted((_, response) => json(response, body));
    expect(await adapterFor([server.host]).listTags(imageOn(server.host))).toEqual(tags);
  });

  test("it goes on past an empty page, and past a page that grew meanwhile", async () => {
    const pages: Record<string, readonly [readonly string[], string | null]> = {
      "/v2/team/app/tags/list?n=2": [["a", "b"], "n=2&last=b"],
      "/v2/team/app/tags/list?n=2&last=b": [[], "n=2&last=bb"],
      "/v2/team/app/tags/list?n=2&last=bb": [["b", "c"], null],
    };
    await using server = await scripted(({ path }, response) => {
      const [tags, next] = pages[path] ?? [null, null];
      json(response, { tags }, next === null ? {} : { link: `<list?${next}>; rel=next` });
    });
    const registry = adapterFor([server.host], { limits: { pageSize: 2 } });
    expect(await registry.listTags(imageOn(server.host))).toEqual(["a", "b", "c"]);
  });

  test("plain HTTP is spoken to named hosts only, and loopback is not one by itself", async () => {
    await using server = await scripted((_, response) => json(response, { tags: ["1.0.0"] }));
    const failure = await failureOf(adapterFor([]).listTags(imageOn(server.host)));
    expect(failure).toMatchObject({
      name: "Unreachable",
      message: expect.stringMatching(/does not speak TLS.*insecure hosts/),
    });
    expect(server.heard).toEqual([]);
  });

  test("no more than the allowed number of operations ask one host at a time", async () => {
    const held: ServerResponse[] = [];
    let most = 0;
    await using server = await scripted((_, response) => {
      most = Math.max(most, held.push(response));
      setTimeout(() => json(held.shift() ?? response, { tags: ["1.0.0"] }), 5);
    });
    const registry = adapterFor([server.host], { limits: { concurrentPerHost: 2, requestSeconds: 10 } });
    await Promise.all(Array.from({ length: 8 }, () => registry.listTags(imageOn(server.host))));
    expect(most).toBe(2);
    expect(server.heard).toHaveLength(8);
  });

  test("connections serve question after question, refusals and redirects among them", async () => {
    const connections = new Set<unknown>();
    await using server = await scripted(({ path, authorization }, response) => {
      connections.add(response.socket);
      if (authorization === null) json(response, { errors: [] }, { "www-authenticate": "Basic" }, 401);
      else if (path.includes("gone")) json(response, { errors: [] }, {}, 404);
      else if (path.includes("moved")) response.writeHead(307, { location: "/v2/team/app/tags/list" }).end("moved");
      else json(response, { tags: ["1.0.0"] });
    });
    const registry = adapterFor([server.host], { credentials: async () => login });
    for (const repository of ["team/app", "gone", "moved", "team/app"])
      await failureOf(registry.listTags(imageOn(server.host, { repository })));
    await registry.digestsOf(imageOn(server.host)).catch(() => null);
    expect(server.heard.length).toBeGreaterThan(8);
    // fetch may open another one where the first is free a moment too late.
    expect(connections.size).toBeLessThan(4);
  });
});
