import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { adapterFor, failureOf, imageOn, scripted, type Heard } from "./scripted.ts";

const digest = `sha256:${"ab".repeat(32)}`;
const manifest = '{"schemaVersion":2,\n  "manifests":[]}';
const digestOfManifest = `sha256:${createHash("sha256").update(manifest).digest("hex")}`;

function answering(headers: Record<string, string>, body = "") {
  return ({ method }: Heard, response: ServerResponse) =>
    void response.writeHead(200, headers).end(method === "HEAD" ? undefined : body);
}

describe("the digest", () => {
  test.for([
    { of: { tag: "1.0.0" }, path: "/v2/team/app/manifests/1.0.0" },
    { of: { digest }, path: `/v2/team/app/manifests/${digest}` },
    { of: { tag: "1.0.0", digest }, path: `/v2/team/app/manifests/${digest}` },
    { of: {}, path: "/v2/team/app/manifests/latest" },
  ])("of $of is asked for by HEAD at $path", async ({ of, path }) => {
    await using server = await scripted(answering({ "docker-content-digest": digest }));
    expect(await adapterFor([server.host]).digestOf(imageOn(server.host, of))).toBe(digest);
    expect(server.heard).toMatchObject([{ method: "HEAD", path }]);
  });

  test("is asked for with every kind of manifest, so that a registry gives the index", async () => {
    let accept = "";
    await using server = await scripted((_, response) => {
      accept = response.req.headers.accept ?? "";
      response.writeHead(200, { "docker-content-digest": digest }).end();
    });
    await adapterFor([server.host]).digestOf(imageOn(server.host));
    expect(accept.split(", ").toSorted()).toEqual([
      "application/vnd.docker.distribution.manifest.list.v2+json",
      "application/vnd.docker.distribution.manifest.v2+json",
      "application/vnd.oci.image.index.v1+json",
      "application/vnd.oci.image.manifest.v1+json",
    ]);
  });

  test("is that of the manifest's bytes where the registry leaves it out", async () => {
    await using server = await scripted(answering({}, manifest));
    const registry = adapterFor([server.host]);
    expect(await registry.digestOf(imageOn(server.host, { tag: "1.0.0" }))).toBe(digestOfManifest);
    expect(server.heard.map(({ method }) => method)).toEqual(["HEAD", "GET"]);
    expect(await registry.digestOf(imageOn(server.host, { digest: digestOfManifest }))).toBe(digestOfManifest);
  });
});

describe("no digest is better than a false one", () => {
  test.for([
    {
      when: "a login page answers",
      script: answering({}, "<html>"),
      says: /app:1\.0\.0: the answer is no image manifest/,
    },
    { when: "JSON answers that is no manifest", script: answering({}, "{}"), says: /no image manifest/ },
    { when: "the header is junk", script: answering({ "docker-content-digest": "latest" }), says: /no digest/ },
  ])("when $when", async ({ script, says }) => {
    await using server = await scripted(script);
    const failure = await failureOf(adapterFor([server.host]).digestOf(imageOn(server.host, { tag: "1.0.0" })));
    expect(failure).toMatchObject({ name: "RegistryAnswerInvalid", message: expect.stringMatching(says) });
  });

  test.for([
    { by: "its header", script: answering({ "docker-content-digest": `sha256:${"cd".repeat(32)}` }) },
    { by: "its bytes", script: answering({}, manifest) },
  ])("when the registry answers with another manifest, by $by", async ({ script }) => {
    await using server = await scripted(script);
    const failure = await failureOf(adapterFor([server.host]).digestOf(imageOn(server.host, { digest })));
    expect(failure).toMatchObject({
      name: "RegistryAnswerInvalid",
      message: expect.stringMatching(/answers with sha256:.* instead/),
    });
  });

  test("when the tag is not there, and the message names it", async () => {
    await using server = await scripted((_, response) => response.writeHead(404).end());
    const failure = await failureOf(adapterFor([server.host]).digestOf(imageOn(server.host, { tag: "9.9.9" })));
    expect(failure).toMatchObject({ name: "RepositoryNotFound", message: expect.stringContaining("team/app:9.9.9") });
  });
});
