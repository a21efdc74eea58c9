import { describe, expect, test } from "vitest";
import { adapterFor, failureOf, imageOn, json, login, scripted, type Scripted } from "./scripted.ts";

/** A registry that leads elsewhere, by a Link or a redirect, to `elsewhere`; with a login where `wants` says so. */
function leading(by: "link" | "redirect", wants: "nothing" | "basic" | "bearer", target: string): Promise<Scripted> {
  return scripted(({ path, authorization }, response, host) => {
    if (path.startsWith("/token")) return json(response, { token: "t" });
    if (wants !== "nothing" && authorization === null) {
      const asks = wants === "basic" ? "Basic" : `Bearer realm="http://${host}/token"`;
      return json(response, {}, { "www-authenticate": asks }, 401);
    }
    if (by === "redirect") return response.writeHead(307, { location: target }).end();
    return json(response, { tags: ["1.0.0"] }, { link: `<${target}>; rel="next"` });
  });
}

function elsewhere(): Promise<Scripted> {
  return scripted((_, response) => json(response, { tags: ["2.0.0"] }));
}

describe("a registry that leads to another host", () => {
  test.for([
    { by: "link", wants: "nothing", credentials: null, tags: ["1.0.0", "2.0.0"] },
    { by: "redirect", wants: "nothing", credentials: null, tags: ["2.0.0"] },
    { by: "link", wants: "bearer", credentials: null, tags: ["1.0.0", "2.0.0"] },
    { by: "redirect", wants: "nothing", credentials: login, tags: ["2.0.0"] },
  ] as const)("by $by, wanting $wants, is followed without a login", async ({ by, wants, credentials, tags }) => {
    await using other = await elsewhere();
    await using server = await leading(by, wants, `http://${other.host}/v2/x/tags/list`);
    const registry = adapterFor([server.host, other.host], { credentials: async () => credentials });
    expect(await registry.listTags(imageOn(server.host))).toEqual(tags);
    expect(other.heard.map(({ authorization }) => authorization)).toEqual([null]);
  });

  test.for([
    { by: "link", wants: "basic" },
    { by: "link", wants: "bearer" },
    { by: "redirect", wants: "basic" },
    { by: "redirect", wants: "bearer" },
  ] as const)("by $by, having taken a login by $wants, is not followed", async ({ by, wants }) => {
    await using other = await elsewhere();
    await using server = await leading(by, wants, `http://${other.host}/v2/x/tags/list`);
    const registry = adapterFor([server.host, other.host], { credentials: async () => login });
    const failure = await failureOf(registry.listTags(imageOn(server.host)));
    expect(failure.name).toBe("RegistryAnswerInvalid");
    expect(failure.message).toMatch(/took the login and leads to .*not followed/);
    expect(other.heard).toEqual([]);
  });

  test("that asks for the login in turn is not given it", async () => {
    await using other = await scripted((_, response) => json(response, {}, { "www-authenticate": "Basic" }, 401));
    await using server = await leading("redirect", "nothing", `http://${other.host}/v2/x/tags/list`);
    const registry = adapterFor([server.host, other.host], { credentials: async () => login });
    expect((await failureOf(registry.listTags(imageOn(server.host)))).name).toBe("RegistryRefused");
    expect(other.heard.map(({ authorization }) => authorization)).toEqual([null]);
  });

  test.for(["link", "redirect"] as const)("without encryption is not followed by %s", async (by) => {
    await using other = await elsewhere();
    await using server = await leading(by, "nothing", `http://${other.host}/v2/x/tags/list`);
    const failure = await failureOf(adapterFor([server.host]).listTags(imageOn(server.host)));
    expect(failure).toMatchObject({ name: "RegistryAnswerInvalid", message: expect.stringContaining("not encrypted") });
    expect(other.heard).toEqual([]);
  });
});

describe("a registry that redirects within itself", () => {
  test("is followed with its login, and pages go on from where it led", async () => {
    await using server = await scripted(({ path, authorization }, response) => {
      if (authorization === null) json(response, {}, { "www-authenticate": "Basic" }, 401);
      else if (path === "/v2/team/app/tags/list") response.writeHead(301, { location: "/mirror/list" }).end();
      else if (path === "/mirror/list") json(response, { tags: ["1.0.0"] }, { link: '<list?2>; rel="next"' });
      else json(response, { tags: ["2.0.0"] });
    });
    const registry = adapterFor([server.host], { credentials: async () => login });
    expect(await registry.listTags(imageOn(server.host))).toEqual(["1.0.0", "2.0.0"]);
    expect(server.heard.at(-1)).toMatchObject({
      path: "/mirror/list?2",
      authorization: expect.stringContaining("Basic"),
    });
  });

  test.for([
    { when: "for ever", location: "/v2/team/app/tags/list", says: /redirects more than 3 times/ },
    { when: "to what is no URL", location: "http://[", says: /leads to what is no URL/ },
    { when: "without saying where", location: null, says: /answered 302/ },
  ])("$when is not followed", async ({ location, says }) => {
    await using server = await scripted((_, response) =>
      response.writeHead(302, location === null ? {} : { location }).end(),
    );
    const failure = await failureOf(adapterFor([server.host]).listTags(imageOn(server.host)));
    expect(failure).toMatchObject({ name: "RegistryAnswerInvalid", message: expect.stringMatching(says) });
  });
});
