import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { adapterFor, failureOf, imageOn, json, scripted, type Heard } from "./scripted.ts";

type Case = {
  readonly promise: string;
  readonly script: (heard: Heard, response: ServerResponse) => void;
  readonly error: string;
  readonly says: RegExp;
};

function nextLink(query: string): Record<string, string> {
  return { link: `</v2/team/app/tags/list?${query}>; rel="next"` };
}

function text(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status).end(body);
}

describe("a listing is whole or an error", () => {
  test.for<Case>([
    {
      promise: "a later page that breaks off takes the whole listing with it",
      script: ({ path }, response) =>
        path.includes("last") ? response.destroy() : json(response, { tags: ["1.0.0"] }, nextLink("last=1.0.0")),
      error: "Unreachable",
      says: /does not answer|broke off/,
    },
    {
      promise: "a later page that is not there is no missing repository",
      script: ({ path }, response) =>
        path.includes("last") ? text(response, 404, "") : json(response, { tags: ["1.0.0"] }, nextLink("last=1.0.0")),
      error: "RegistryAnswerInvalid",
      says: /page 2 of the tags.*is missing/,
    },
    {
      promise: "a later page that fails takes the whole listing with it",
      script: ({ path }, response) =>
        path.includes("last") ? text(response, 502, "") : json(response, { tags: ["1.0.0"] }, nextLink("last=1.0.0")),
      error: "Unreachable",
      says: /answered 502/,
    },
    {
      promise: "a body that is cut short is no listing",
      script: (_, response) => {
        response.writeHead(200, { "content-length": "500" });
        response.write('{"tags":["1.0.0"]}', () => response.destroy());
      },
      error: "Unreachable",
      says: /broke off|does not answer/,
    },
    {
      promise: "pages that lead round in a circle end",
      script: ({ path }, response) =>
        json(response, { tags: [] }, nextLink(path.includes("last=1") ? "last=2" : "last=1")),
      error: "RegistryAnswerInvalid",
      says: /circle/,
    },
    {
      promise: "a page that comes again under another URL ends",
      script: ({ path }, response) => json(response, { tags: ["1", "2"] }, nextLink(`last=2&again=${path.length}`)),
      error: "RegistryAnswerInvalid",
      says: /repeats what went before/,
    },
    {
      promise: "pages without end end",
      script: ({ path }, response) =>
        json(response, { tags: [`t${path.length}`] }, nextLink(`last=${"x".repeat(path.length)}`)),
      error: "RegistryAnswerInvalid",
      says: /more than 5 pages/,
    },
    {
      promise: "a Link that cannot be read may have named a page",
      script: (_, response) => json(response, { tags: ["1.0.0"] }, { link: "/v2/team/app/tags/list?last=1 rel=next" }),
      error: "RegistryAnswerInvalid",
      says: /Link header cannot be read/,
    },
    {
      promise: "a login page with status 200 is no listing",
      script: (_, response) => text(response, 200, "<html>Please sign in</html>"),
      error: "RegistryAnswerInvalid",
      says: /no list of tags/,
    },
    {
      promise: "tags that are not all strings are no listing",
      script: (_, response) => json(response, { tags: ["1.0.0", 2] }),
      error: "RegistryAnswerInvalid",
      says: /no list of tags/,
    },
    {
      promise: "a tag that no image could have is no tag",
      script: (_, response) => json(response, { tags: ["1.0.0@sha256:abc"] }),
      error: "RegistryAnswerInvalid",
      says: /no list of tags/,
    },
    {
      promise: "an answer without tags is no empty listing",
      script: (_, response) => json(response, { name: "team/app" }),
      error: "RegistryAnswerInvalid",
      says: /no list of tags/,
    },
    {
      promise: "a flood is not read to its end",
      script: (_, response) => text(response, 200, JSON.stringify({ tags: Array(3000).fill("1.0.0") })),
      error: "RegistryAnswerInvalid",
      says: /more than 20000 bytes/,
    },
    {
      promise: "pages that each fit may be too much together",
      script: ({ path }, response) => {
        const tags = Array.from({ length: 1500 }, (_, index) => `${path.length}-${index}`);
        json(response, { tags }, nextLink(`last=${"x".repeat(path.length)}`));
      },
      error: "RegistryAnswerInvalid",
      says: /larger than 30000 bytes/,
    },
    {
      promise: "a registry that does not answer is waited for no longer than allowed",
      script: () => undefined,
      error: "Unreachable",
      says: /did not finish its answer within 0\.3 seconds/,
    },
    {
      promise: "a body that stalls is waited for no longer than allowed",
      script: (_, response) => void response.writeHead(200).write('{"tags":["1.0.0"'),
      error: "Unreachable",
      says: /did not finish its answer within 0\.3 seconds/,
    },
    {
      promise: "a repository that is not there is said to be so, with the registry's code",
      script: (_, response) => json(response, { errors: [{ code: "NAME_UNKNOWN" }] }, {}, 404),
      error: "RepositoryNotFound",
      says: /answered 404 \(NAME_UNKNOWN\)/,
    },
    {
      promise: "a failing registry is unreachable",
      script: (_, response) => text(response, 500, "<h1>oops</h1>"),
      error: "Unreachable",
      says: /answered 500/,
    },
    {
      promise: "a request it does not understand is no result",
      script: (_, response) => json(response, { errors: [{ code: "TOO_MANY_TAGS" }] }, {}, 400),
      error: "RegistryAnswerInvalid",
      says: /answered 400 \(TOO_MANY_TAGS\)/,
    },
    {
      promise: "no content is no result",
      script: (_, response) => text(response, 204, ""),
      error: "RegistryAnswerInvalid",
      says: /answered 204/,
    },
  ])("$promise: $error", async ({ script, error, says }) => {
    await using server = await scripted(script);
    const registry = adapterFor([server.host], { limits: { pages: 5, answerBytes: 20_000, listingBytes: 30_000 } });
    const failure = await failureOf(registry.listTags(imageOn(server.host)));
    expect(failure).toMatchObject({ name: error, message: expect.stringMatching(says) });
    expect(failure.message).toContain(`${server.host}/team/app`);
  });

  test("a registry that drips page after page is left in time", async () => {
    await using server = await scripted(({ path }, response) => {
      const tick = () => json(response, { tags: [`t${path.length}`] }, nextLink(`last=${"x".repeat(path.length)}`));
      setTimeout(tick, 20);
    });
    const registry = adapterFor([server.host], { limits: { operationSeconds: 0.1, pages: 100 } });
    expect((await failureOf(registry.listTags(imageOn(server.host)))).name).toBe("Unreachable");
    expect(server.heard.length).toBeLessThan(10);
  });

  test("nobody listening is unreachable, and said so", async () => {
    const server = await scripted(() => undefined);
    await server[Symbol.asyncDispose]();
    const failure = await failureOf(adapterFor([server.host]).listTags(imageOn(server.host)));
    expect(failure).toMatchObject({
      name: "Unreachable",
      message: expect.stringContaining("ECONNREFUSED: nothing listens"),
    });
  });
});
