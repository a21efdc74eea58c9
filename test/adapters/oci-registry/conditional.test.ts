import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { adapterFor, failureOf, imageOn, json, scripted } from "./scripted.ts";

/** A registry of two pages that confirms by 304 what it has sent under an ETag. It counts what it sent in full. */
function confirming(second: () => readonly string[]) {
  const sent: string[] = [];
  const pages = (path: string) => (path.includes("last") ? second() : ["1.0.0"]);
  async function start() {
    return scripted(({ path }, response) => {
      const etag = `W/"${pages(path).join()}"`;
      const next = path.includes("last") ? {} : { link: '</v2/team/app/tags/list?last=1.0.0>; rel="next"' };
      // What a 304 leaves out is as it was.
      if (response.req.headers["if-none-match"] === etag) return response.writeHead(304, { etag }).end();
      sent.push(path);
      return json(response, { tags: pages(path) }, { etag, ...next });
    });
  }
  return { sent, start };
}

describe("a registry that confirms what it sent before", () => {
  test("is read to its last page, and sends only what has changed", async () => {
    let tags = ["1.1.0"];
    const { sent, start } = confirming(() => tags);
    await using server = await start();
    const registry = adapterFor([server.host]);
    const list = () => registry.listTags(imageOn(server.host));
    expect(await list()).toEqual(["1.0.0", "1.1.0"]);
    expect(await list()).toEqual(["1.0.0", "1.1.0"]);
    expect(sent).toHaveLength(2);
    tags = ["1.1.0", "1.2.0"];
    expect(await list()).toEqual(["1.0.0", "1.1.0", "1.2.0"]);
    expect(await list()).toEqual(["1.0.0", "1.1.0", "1.2.0"]);
    expect(sent).toHaveLength(3);
    expect(server.heard).toHaveLength(8);
  });

  test("is asked for all again by another adapter, and where nothing may be kept", async () => {
    const { sent, start } = confirming(() => ["1.1.0"]);
    await using server = await start();
    const forgetful = adapterFor([server.host], { limits: { keptBytes: 1000 } });
    for (const registry of [adapterFor([server.host]), forgetful, forgetful])
      await registry.listTags(imageOn(server.host));
    expect(sent).toHaveLength(6);
  });

  test("keeps what was used last, within the bound", async () => {
    const { sent, start } = confirming(() => ["1.1.0"]);
    await using server = await start();
    const registry = adapterFor([server.host], { limits: { keptBytes: 3000 } });
    const list = (repository: string) => registry.listTags(imageOn(server.host, { repository }));
    for (const repository of ["a", "b", "b", "a"]) await list(repository);
    expect(sent.filter((path) => !path.includes("last")).map((path) => path.split("/")[2])).toEqual(["a", "b", "a"]);
  });

  test("confirms the digests of a manifest; HEAD asks for nothing to be confirmed", async () => {
    const asked: (string | undefined)[] = [];
    await using server = await scripted(({ method }, response) => {
      const condition = response.req.headers["if-none-match"];
      asked.push(condition);
      const etag = '"one"';
      if (condition === etag) response.writeHead(304).end();
      else if (method === "HEAD")
        response.writeHead(200, { etag, "docker-content-digest": `sha256:${"ab".repeat(32)}` }).end();
      else json(response, { schemaVersion: 2 }, { etag });
    });
    const registry = adapterFor([server.host]);
    const first = await registry.digestsOf(imageOn(server.host));
    expect(await registry.digestsOf(imageOn(server.host))).toEqual(first);
    await registry.digestOf(imageOn(server.host));
    expect(asked).toEqual([undefined, '"one"', undefined]);
  });
});

describe("a 304", () => {
  const unchanged = (_: unknown, response: ServerResponse) => void response.writeHead(304, { etag: '"x"' }).end();

  test.for(["listTags", "digestOf", "digestsOf"] as const)("that was not asked for is no answer to %s", async (ask) => {
    await using server = await scripted(unchanged);
    const failure = await failureOf(adapterFor([server.host])[ask](imageOn(server.host)));
    expect(failure).toMatchObject({ name: "RegistryAnswerInvalid", message: expect.stringContaining("answered 304") });
  });

  test("never confirms what was no answer", async () => {
    const bodies = [{ tags: [7] }, { tags: ["1.0.0"] }];
    await using server = await scripted((_, response) => json(response, bodies.shift(), { etag: '"same"' }));
    const registry = adapterFor([server.host]);
    expect((await failureOf(registry.listTags(imageOn(server.host)))).name).toBe("RegistryAnswerInvalid");
    expect(await registry.listTags(imageOn(server.host))).toEqual(["1.0.0"]);
  });

  test("never confirms to one login what another was given", async () => {
    const conditions: unknown[] = [];
    await using server = await scripted(({ authorization }, response) => {
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
    const registry = adapterFor([server.host], { credentials });
    const listed = [];
    for (user of ["one", "two", "one"]) listed.push(...(await registry.listTags(imageOn(server.host))));
    expect(listed).toEqual(["one-p", "two-p", "one-p"]);
    expect(conditions).toEqual([undefined, undefined, '"e"']);
  });
});
