import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { createAdapter, catchError, imageAt, json, startScriptedServer } from "./scripted-server.ts";

/** A registry of two pages that answers 304 to a known ETag, and records what it sends in full. */
function createConditionalRegistry(second: () => readonly string[]) {
  const sent: string[] = [];
  const pages = (path: string) => (path.includes("last") ? second() : ["1.0.0"]);
  async function start() {
    return startScriptedServer(({ path }, response) => {
      const etag = `W/"${pages(path).join()}"`;
      const next = path.includes("last") ? {} : { link: '</v2/team/app/tags/list?last=1.0.0>; rel="next"' };
      // Headers that a 304 omits are unchanged.
      if (response.req.headers["if-none-match"] === etag) return response.writeHead(304, { etag }).end();
      sent.push(path);
      return json(response, { tags: pages(path) }, { etag, ...next });
    });
  }
  return { sent, start };
}

describe("conditional requests", () => {
  test("read every page, and transfer only pages that have changed", async () => {
    let tags = ["1.1.0"];
    const { sent, start } = createConditionalRegistry(() => tags);
    await using server = await start();
    const registry = createAdapter([server.host]);
    const list = () => registry.listTags(imageAt(server.host));
    expect(await list()).toEqual(["1.0.0", "1.1.0"]);
    expect(await list()).toEqual(["1.0.0", "1.1.0"]);
    expect(sent).toHaveLength(2);
    tags = ["1.1.0", "1.2.0"];
    expect(await list()).toEqual(["1.0.0", "1.1.0", "1.2.0"]);
    expect(await list()).toEqual(["1.0.0", "1.1.0", "1.2.0"]);
    expect(sent).toHaveLength(3);
    expect(server.requests).toHaveLength(8);
  });

  test("are not sent by another adapter, or if the cache has no room", async () => {
    const { sent, start } = createConditionalRegistry(() => ["1.1.0"]);
    await using server = await start();
    const uncached = createAdapter([server.host], { limits: { cacheBytes: 1000 } });
    for (const registry of [createAdapter([server.host]), uncached, uncached])
      await registry.listTags(imageAt(server.host));
    expect(sent).toHaveLength(6);
  });

  test("use a bounded cache of the most recently used responses", async () => {
    const { sent, start } = createConditionalRegistry(() => ["1.1.0"]);
    await using server = await start();
    const registry = createAdapter([server.host], { limits: { cacheBytes: 3000 } });
    const list = (repository: string) => registry.listTags(imageAt(server.host, { repository }));
    for (const repository of ["a", "b", "b", "a"]) await list(repository);
    expect(sent.filter((path) => !path.includes("last")).map((path) => path.split("/")[2])).toEqual(["a", "b", "a"]);
  });

  test("are sent for the GET of a manifest, and not for its HEAD", async () => {
    const conditions: (string | undefined)[] = [];
    await using server = await startScriptedServer(({ method }, response) => {
      const condition = response.req.headers["if-none-match"];
      conditions.push(condition);
      const etag = '"one"';
      if (condition === etag) response.writeHead(304).end();
      else if (method === "HEAD")
        response.writeHead(200, { etag, "docker-content-digest": `sha256:${"ab".repeat(32)}` }).end();
      else json(response, { schemaVersion: 2 }, { etag });
    });
    const registry = createAdapter([server.host]);
    const first = await registry.digestsOf(imageAt(server.host));
    expect(await registry.digestsOf(imageAt(server.host))).toEqual(first);
    await registry.digestOf(imageAt(server.host));
    // The second call finds by HEAD that the tag has moved.
    expect(conditions).toEqual([undefined, undefined, '"one"', undefined]);
  });
});

describe("a 304", () => {
  const unchanged = (_: unknown, response: ServerResponse) => void response.writeHead(304, { etag: '"x"' }).end();

  test.for(["listTags", "digestOf", "digestsOf"] as const)(
    "to an unconditional request is invalid in %s",
    async (method) => {
      await using server = await startScriptedServer(unchanged);
      const failure = await catchError(createAdapter([server.host])[method](imageAt(server.host)));
      expect(failure).toMatchObject({
        name: "RegistryAnswerInvalid",
        message: expect.stringContaining("answered 304"),
      });
    },
  );

  test("never confirms an invalid response", async () => {
    const bodies = [{ tags: [7] }, { tags: ["1.0.0"] }];
    await using server = await startScriptedServer((_, response) => json(response, bodies.shift(), { etag: '"same"' }));
    const registry = createAdapter([server.host]);
    expect((await catchError(registry.listTags(imageAt(server.host)))).name).toBe("RegistryAnswerInvalid");
    expect(await registry.listTags(imageAt(server.host))).toEqual(["1.0.0"]);
  });

  test("never confirms to one login what another received", async () => {
    const conditions: unknown[] = [];
    await using server = await startScriptedServer(({ authorization }, response) => {
      const condition = response.req.headers["if-none-match"];
      if (authorization === null) return json(response, {}, { "www-authenticate": "Basic" }, 401);
      conditions.push(condition);
      if (condition !== undefined) return response.writeHead(304).end();
      return json(
        response,
        { tags: [Buffer.from(authorization.slice(6), "base64").toString().replace(":", "-")] },
        { etag: '"e"' },
      );
    });
    let user = "one";
    const credentials = async () => ({ kind: "password", username: user, password: "p" }) as const;
    const registry = createAdapter([server.host], { credentials });
    const listed = [];
    for (user of ["one", "two", "one"]) listed.push(...(await registry.listTags(imageAt(server.host))));
    expect(listed).toEqual(["one-p", "two-p", "one-p"]);
    expect(conditions).toEqual([undefined, undefined, '"e"']);
  });
});
