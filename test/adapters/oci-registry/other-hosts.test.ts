import { describe, expect, test } from "vitest";
import {
  createAdapter,
  catchError,
  imageAt,
  json,
  login,
  startScriptedServer,
  type ScriptedServer,
} from "./scripted-server.ts";

/** A registry that refers to `target` by a Link header or a redirect, and requires a login as `requires` message. */
function createReferringRegistry(
  by: "link" | "redirect",
  requires: "nothing" | "basic" | "bearer",
  target: string,
): Promise<ScriptedServer> {
  return startScriptedServer(({ path, authorization }, response, host) => {
    if (path.startsWith("/token")) return json(response, { token: "t" });
    if (requires !== "nothing" && authorization === null) {
      const challenge = requires === "basic" ? "Basic" : `Bearer realm="http://${host}/token"`;
      return json(response, {}, { "www-authenticate": challenge }, 401);
    }
    if (by === "redirect") return response.writeHead(307, { location: target }).end();
    return json(response, { tags: ["1.0.0"] }, { link: `<${target}>; rel="next"` });
  });
}

function createOtherHost(): Promise<ScriptedServer> {
  return startScriptedServer((_, response) => json(response, { tags: ["2.0.0"] }));
}

describe("a reference to another host", () => {
  test.for([
    { by: "link", requires: "nothing", credentials: null, tags: ["1.0.0", "2.0.0"] },
    { by: "redirect", requires: "nothing", credentials: null, tags: ["2.0.0"] },
    { by: "link", requires: "bearer", credentials: null, tags: ["1.0.0", "2.0.0"] },
    { by: "redirect", requires: "nothing", credentials: login, tags: ["2.0.0"] },
  ] as const)(
    "by $by, from a registry that requires $requires, is followed without a login",
    async ({ by, requires, credentials, tags }) => {
      await using other = await createOtherHost();
      await using server = await createReferringRegistry(by, requires, `http://${other.host}/v2/x/tags/list`);
      const registry = createAdapter([server.host, other.host], { credentials: async () => credentials });
      expect(await registry.listTags(imageAt(server.host))).toEqual(tags);
      expect(other.requests.map(({ authorization }) => authorization)).toEqual([null]);
    },
  );

  test.for([
    { by: "link", requires: "basic" },
    { by: "link", requires: "bearer" },
    { by: "redirect", requires: "basic" },
    { by: "redirect", requires: "bearer" },
  ] as const)(
    "by $by, from a registry that accepted a login by $requires, is not followed",
    async ({ by, requires }) => {
      await using other = await createOtherHost();
      await using server = await createReferringRegistry(by, requires, `http://${other.host}/v2/x/tags/list`);
      const registry = createAdapter([server.host, other.host], { credentials: async () => login });
      const failure = await catchError(registry.listTags(imageAt(server.host)));
      expect(failure.name).toBe("RegistryAnswerInvalid");
      expect(failure.message).toMatch(/accepted the login and redirects to .*not followed/);
      expect(other.requests).toEqual([]);
    },
  );

  test("that requires a login itself does not receive the registry's", async () => {
    await using other = await startScriptedServer((_, response) =>
      json(response, {}, { "www-authenticate": "Basic" }, 401),
    );
    await using server = await createReferringRegistry("redirect", "nothing", `http://${other.host}/v2/x/tags/list`);
    const registry = createAdapter([server.host, other.host], { credentials: async () => login });
    expect((await catchError(registry.listTags(imageAt(server.host)))).name).toBe("RegistryUnauthorized");
    expect(other.requests.map(({ authorization }) => authorization)).toEqual([null]);
  });

  test.for(["link", "redirect"] as const)("by %s is not followed without encryption", async (by) => {
    await using other = await createOtherHost();
    await using server = await createReferringRegistry(by, "nothing", `http://${other.host}/v2/x/tags/list`);
    const failure = await catchError(createAdapter([server.host]).listTags(imageAt(server.host)));
    expect(failure).toMatchObject({ name: "RegistryAnswerInvalid", message: expect.stringContaining("not encrypted") });
    expect(other.requests).toEqual([]);
  });
});

describe("a redirect within the registry", () => {
  test("is followed with the login, and further pages are resolved against its target", async () => {
    await using server = await startScriptedServer(({ path, authorization }, response) => {
      if (authorization === null) json(response, {}, { "www-authenticate": "Basic" }, 401);
      else if (path === "/v2/team/app/tags/list") response.writeHead(301, { location: "/mirror/list" }).end();
      else if (path === "/mirror/list") json(response, { tags: ["1.0.0"] }, { link: '<list?2>; rel="next"' });
      else json(response, { tags: ["2.0.0"] });
    });
    const registry = createAdapter([server.host], { credentials: async () => login });
    expect(await registry.listTags(imageAt(server.host))).toEqual(["1.0.0", "2.0.0"]);
    expect(server.requests.at(-1)).toMatchObject({
      path: "/mirror/list?2",
      authorization: expect.stringContaining("Basic"),
    });
  });

  test.for([
    { when: "endlessly", location: "/v2/team/app/tags/list", message: /redirects more than 3 times/ },
    { when: "to an invalid URL", location: "http://[", message: /redirects to an invalid URL/ },
    { when: "without a Location", location: null, message: /answered 302/ },
  ])("$when is not followed", async ({ location, message }) => {
    await using server = await startScriptedServer((_, response) =>
      response.writeHead(302, location === null ? {} : { location }).end(),
    );
    const failure = await catchError(createAdapter([server.host]).listTags(imageAt(server.host)));
    expect(failure).toMatchObject({ name: "RegistryAnswerInvalid", message: expect.stringMatching(message) });
  });
});
