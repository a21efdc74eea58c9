import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import {
  createAdapter,
  shortTimeout,
  catchError,
  imageAt,
  json,
  startScriptedServer,
  type ReceivedRequest,
} from "./scripted-server.ts";

type Case = {
  readonly when: string;
  readonly script: (request: ReceivedRequest, response: ServerResponse) => void;
  readonly error: string;
  readonly message: RegExp;
};

function nextLink(query: string): Record<string, string> {
  return { link: `</v2/team/app/tags/list?${query}>; rel="next"` };
}

function text(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status).end(body);
}

describe("a tag list is complete or an error", () => {
  test.for<Case>([
    {
      when: "the connection closes during a later page",
      script: ({ path }, response) =>
        path.includes("last") ? response.destroy() : json(response, { tags: ["1.0.0"] }, nextLink("last=1.0.0")),
      error: "Unreachable",
      message: /does not answer|closed the connection/,
    },
    {
      when: "a later page does not exist",
      script: ({ path }, response) =>
        path.includes("last") ? text(response, 404, "") : json(response, { tags: ["1.0.0"] }, nextLink("last=1.0.0")),
      error: "RegistryAnswerInvalid",
      message: /page 2 of the tags.*is missing/,
    },
    {
      when: "a later page fails",
      script: ({ path }, response) =>
        path.includes("last") ? text(response, 502, "") : json(response, { tags: ["1.0.0"] }, nextLink("last=1.0.0")),
      error: "Unreachable",
      message: /answered 502/,
    },
    {
      when: "a body is truncated",
      script: (_, response) => {
        response.writeHead(200, { "content-length": "500" });
        response.write('{"tags":["1.0.0"]}', () => response.destroy());
      },
      error: "Unreachable",
      message: /closed the connection|does not answer/,
    },
    {
      when: "pages link to each other in a loop",
      script: ({ path }, response) =>
        json(response, { tags: [] }, nextLink(path.includes("last=1") ? "last=2" : "last=1")),
      error: "RegistryAnswerInvalid",
      message: /in a loop/,
    },
    {
      when: "a page is repeated under another URL",
      script: ({ path }, response) => json(response, { tags: ["1", "2"] }, nextLink(`last=2&again=${path.length}`)),
      error: "RegistryAnswerInvalid",
      message: /repeats the previous pages/,
    },
    {
      when: "there are more pages than the limit",
      script: ({ path }, response) =>
        json(response, { tags: [`t${path.length}`] }, nextLink(`last=${"x".repeat(path.length)}`)),
      error: "RegistryAnswerInvalid",
      message: /more than 5 pages/,
    },
    {
      when: "a Link header is invalid",
      script: (_, response) => json(response, { tags: ["1.0.0"] }, { link: "/v2/team/app/tags/list?last=1 rel=next" }),
      error: "RegistryAnswerInvalid",
      message: /Link header is invalid/,
    },
    {
      when: "a login page has status 200",
      script: (_, response) => text(response, 200, "<html>Please sign in</html>"),
      error: "RegistryAnswerInvalid",
      message: /not a list of tags/,
    },
    {
      when: "a tag is not a string",
      script: (_, response) => json(response, { tags: ["1.0.0", 2] }),
      error: "RegistryAnswerInvalid",
      message: /not a list of tags/,
    },
    {
      when: "a tag is not valid in an image reference",
      script: (_, response) => json(response, { tags: ["1.0.0@sha256:abc"] }),
      error: "RegistryAnswerInvalid",
      message: /not a list of tags/,
    },
    {
      when: "the response has no tags field",
      script: (_, response) => json(response, { name: "team/app" }),
      error: "RegistryAnswerInvalid",
      message: /not a list of tags/,
    },
    {
      when: "a response exceeds the size limit",
      script: (_, response) => text(response, 200, JSON.stringify({ tags: Array(3000).fill("1.0.0") })),
      error: "RegistryAnswerInvalid",
      message: /more than 20000 bytes/,
    },
    {
      when: "all pages together exceed the size limit",
      script: ({ path }, response) => {
        const tags = Array.from({ length: 1500 }, (_, index) => `${path.length}-${index}`);
        json(response, { tags }, nextLink(`last=${"x".repeat(path.length)}`));
      },
      error: "RegistryAnswerInvalid",
      message: /larger than 30000 bytes/,
    },
    {
      when: "a registry does not answer in time",
      script: () => undefined,
      error: "Unreachable",
      message: /did not answer completely within 0\.3 seconds/,
    },
    {
      when: "a body stalls",
      script: (_, response) => void response.writeHead(200).write('{"tags":["1.0.0"'),
      error: "Unreachable",
      message: /did not answer completely within 0\.3 seconds/,
    },
    {
      when: "a repository does not exist; the message has the registry's code",
      script: (_, response) => json(response, { errors: [{ code: "NAME_UNKNOWN" }] }, {}, 404),
      error: "RepositoryNotFound",
      message: /answered 404 \(NAME_UNKNOWN\)/,
    },
    {
      when: "a registry fails",
      script: (_, response) => text(response, 500, "<h1>oops</h1>"),
      error: "Unreachable",
      message: /answered 500/,
    },
    {
      when: "a registry rejects the request as invalid",
      script: (_, response) => json(response, { errors: [{ code: "TOO_MANY_TAGS" }] }, {}, 400),
      error: "RegistryAnswerInvalid",
      message: /answered 400 \(TOO_MANY_TAGS\)/,
    },
    {
      when: "a response has no content",
      script: (_, response) => text(response, 204, ""),
      error: "RegistryAnswerInvalid",
      message: /answered 204/,
    },
  ])("$when: $error", async ({ script, error, message }) => {
    await using server = await startScriptedServer(script);
    const registry = createAdapter([server.host], {
      limits: {
        pages: 5,
        responseBytes: 20_000,
        listingBytes: 30_000,
        ...(error === "Unreachable" ? shortTimeout : {}),
      },
    });
    const failure = await catchError(registry.listTags(imageAt(server.host)));
    expect(failure).toMatchObject({ name: error, message: expect.stringMatching(message) });
    expect(failure.message).toContain(`${server.host}/team/app`);
  });

  test("a registry that answers slowly page by page is aborted after the operation timeout", async () => {
    await using server = await startScriptedServer(({ path }, response) => {
      const respond = () => json(response, { tags: [`t${path.length}`] }, nextLink(`last=${"x".repeat(path.length)}`));
      setTimeout(respond, 20);
    });
    const registry = createAdapter([server.host], { limits: { operationSeconds: 0.1, pages: 100 } });
    expect((await catchError(registry.listTags(imageAt(server.host)))).name).toBe("Unreachable");
    expect(server.requests.length).toBeLessThan(10);
  });

  test("a refused connection is Unreachable, with its reason", async () => {
    const server = await startScriptedServer(() => undefined);
    await server[Symbol.asyncDispose]();
    const failure = await catchError(createAdapter([server.host]).listTags(imageAt(server.host)));
    expect(failure).toMatchObject({
      name: "Unreachable",
      message: expect.stringContaining("ECONNREFUSED: connection refused"),
    });
  });
});
