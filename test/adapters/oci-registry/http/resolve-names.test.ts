import { afterEach, describe, expect, test } from "vitest";
import { useNameServers } from "../../../../functions/adapters/oci-registry/http/http.ts";
import { createNameResolver } from "../../../../functions/adapters/oci-registry/http/resolve-names.ts";
import { catchError, createAdapter, imageAt, json, startScriptedServer } from "../scripted-server.ts";
import { type Answer, startNameServer } from "./fake-name-server.ts";

const restore: (() => void)[] = [];
afterEach(() => {
  for (const one of restore.splice(0)) one();
});

/** Has registries resolved by a server that answers so. */
async function resolveBy(answerTo: (name: string) => Answer) {
  const server = await startNameServer(answerTo);
  restore.push(useNameServers(createNameResolver({ servers: [server.server], timeoutMs: 100, tries: 1 })));
  return server;
}

describe("a registry's name", () => {
  test("is asked for once, and its address is connected to", async () => {
    await using registry = await startScriptedServer((_, response) => json(response, { tags: ["1.0.0"] }));
    await using names = await resolveBy(() => ["127.0.0.1"]);
    const host = `registry.test:${registry.host.split(":")[1]}`;
    const adapter = createAdapter([host]);
    expect(await adapter.listTags(imageAt(host))).toEqual(["1.0.0"]);
    expect(await adapter.listTags(imageAt(host, { repository: "team/other" }))).toEqual(["1.0.0"]);
    expect(names.queries).toEqual(["registry.test", "registry.test"]);
  });

  test("that has a private address is not connected to, unless the deployment names it", async () => {
    await using registry = await startScriptedServer((_, response) => json(response, { tags: ["1.0.0"] }));
    await using names = await resolveBy(() => ["127.0.0.1"]);
    const host = `registry.test:${registry.host.split(":")[1]}`;
    expect(await catchError(createAdapter([]).listTags(imageAt(host)))).toMatchObject({ name: "RegistryNotAllowed" });
    expect(registry.connections).toBe(0);
    expect(names.queries).toHaveLength(2);
  });

  test.for([
    {
      answer: "nothing",
      message:
        /^lost\.test\/team\/app: lost\.test is not requested, because its name server does not answer \(ETIMEOUT\)/,
    },
    {
      answer: "unknown",
      message: /^lost\.test\/team\/app: lost\.test does not answer \(ENOTFOUND: its name does not resolve/,
    },
  ] as const)("is reported if the answer is $answer", async ({ answer, message }) => {
    await using names = await resolveBy(() => answer);
    expect(await catchError(createAdapter([]).listTags(imageAt("lost.test")))).toMatchObject({
      name: "Unreachable",
      message: expect.stringMatching(message),
    });
    expect(names.queries).toContain("lost.test");
  });

  test("that nobody answers delays no other, and none takes a thread or a place in the queue of a host", async () => {
    await using registry = await startScriptedServer((_, response) => json(response, { tags: ["1.0.0"] }));
    await using names = await resolveBy((name) => (name.startsWith("lost") ? "nothing" : ["127.0.0.1"]));
    const host = `registry.test:${registry.host.split(":")[1]}`;
    const adapter = createAdapter([host]);
    const lost = Array.from({ length: 100 }, (_, index) => adapter.listTags(imageAt(`lost-${index}.test`)));
    const startedAt = performance.now();
    expect(await adapter.listTags(imageAt(host))).toEqual(["1.0.0"]);
    expect(performance.now() - startedAt).toBeLessThan(1000);
    const results = await Promise.allSettled(lost);
    expect(names.queries).toContain("lost-99.test");
    expect(
      results.every((one) => one.status === "rejected" && String(one.reason).includes("name server does not answer")),
    ).toBe(true);
  });
});

test("an address and localhost need no server", async () => {
  const resolve = createNameResolver({ servers: ["127.0.0.1:9"] });
  expect(await resolve("[::1]")).toEqual([{ address: "::1", family: 6 }]);
  expect(await resolve("10.0.0.1")).toEqual([{ address: "10.0.0.1", family: 4 }]);
  expect(await resolve("a.localhost")).toEqual([{ address: "127.0.0.1", family: 4 }]);
});
