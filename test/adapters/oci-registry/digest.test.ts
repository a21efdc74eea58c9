import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { createAdapter, catchError, imageAt, startScriptedServer, type ReceivedRequest } from "./scripted-server.ts";

const digest = `sha256:${"ab".repeat(32)}`;
const manifest = '{"schemaVersion":2,\n  "manifests":[]}';
const digestOfManifest = `sha256:${createHash("sha256").update(manifest).digest("hex")}`;

function respondWith(headers: Record<string, string>, body = "") {
  return ({ method }: ReceivedRequest, response: ServerResponse) =>
    void response.writeHead(200, headers).end(method === "HEAD" ? undefined : body);
}

describe("the digest", () => {
  test.for([
    { reference: { tag: "1.0.0" }, path: "/v2/team/app/manifests/1.0.0" },
    { reference: { digest }, path: `/v2/team/app/manifests/${digest}` },
    { reference: { tag: "1.0.0", digest }, path: `/v2/team/app/manifests/${digest}` },
    { reference: {}, path: "/v2/team/app/manifests/latest" },
  ])("of $reference is requested by HEAD at $path", async ({ reference, path }) => {
    await using server = await startScriptedServer(respondWith({ "docker-content-digest": digest }));
    expect(await createAdapter([server.host]).digestOf(imageAt(server.host, reference))).toBe(digest);
    expect(server.requests).toMatchObject([{ method: "HEAD", path }]);
  });

  test("accepts every kind of manifest, so that a registry returns the index", async () => {
    let accept = "";
    await using server = await startScriptedServer((_, response) => {
      accept = response.req.headers.accept ?? "";
      response.writeHead(200, { "docker-content-digest": digest }).end();
    });
    await createAdapter([server.host]).digestOf(imageAt(server.host));
    expect(accept.split(", ").toSorted()).toEqual([
      "application/vnd.docker.distribution.manifest.list.v2+json",
      "application/vnd.docker.distribution.manifest.v2+json",
      "application/vnd.oci.image.index.v1+json",
      "application/vnd.oci.image.manifest.v1+json",
    ]);
  });

  test("is that of the manifest's bytes if the registry omits it", async () => {
    await using server = await startScriptedServer(respondWith({}, manifest));
    const registry = createAdapter([server.host]);
    expect(await registry.digestOf(imageAt(server.host, { tag: "1.0.0" }))).toBe(digestOfManifest);
    expect(server.requests.map(({ method }) => method)).toEqual(["HEAD", "GET"]);
    expect(await registry.digestOf(imageAt(server.host, { digest: digestOfManifest }))).toBe(digestOfManifest);
  });
});

describe("if the registry refuses HEAD", () => {
  test.for([404, 405, 501])("by %i, the digest is that of the manifest's bytes", async (status) => {
    await using server = await startScriptedServer(({ method }, response) => {
      if (method === "HEAD") response.writeHead(status, { "docker-content-digest": digest }).end();
      else response.writeHead(200, { "docker-content-digest": digestOfManifest }).end(manifest);
    });
    expect(await createAdapter([server.host]).digestOf(imageAt(server.host))).toBe(digestOfManifest);
    expect(server.requests.map(({ method }) => method)).toEqual(["HEAD", "GET"]);
  });

  test.for([
    { status: 429, name: "Throttled" },
    { status: 503, name: "Unreachable" },
    { status: 403, name: "RegistryUnauthorized" },
  ])("by $status, it is asked no second time", async ({ status, name }) => {
    await using server = await startScriptedServer((_, response) => response.writeHead(status).end());
    expect(await catchError(createAdapter([server.host]).digestOf(imageAt(server.host)))).toMatchObject({ name });
    expect(server.requests.map(({ method }) => method)).toEqual(["HEAD"]);
  });
});

describe("the digest is rejected", () => {
  test.for([
    {
      when: "the response is a login page",
      script: respondWith({}, "<html>"),
      message: /app:1\.0\.0: the response is not an image manifest/,
    },
    {
      when: "the response is JSON but not a manifest",
      script: respondWith({}, "{}"),
      message: /not an image manifest/,
    },
    {
      when: "the header is invalid",
      script: respondWith({ "docker-content-digest": "latest" }),
      message: /invalid digest/,
    },
  ])("if $when", async ({ script, message }) => {
    await using server = await startScriptedServer(script);
    const failure = await catchError(createAdapter([server.host]).digestOf(imageAt(server.host, { tag: "1.0.0" })));
    expect(failure).toMatchObject({ name: "RegistryAnswerInvalid", message: expect.stringMatching(message) });
  });

  test.for([
    { by: "its header", script: respondWith({ "docker-content-digest": `sha256:${"cd".repeat(32)}` }) },
    { by: "its bytes", script: respondWith({}, manifest) },
  ])("if the registry returns another manifest, by $by", async ({ script }) => {
    await using server = await startScriptedServer(script);
    const failure = await catchError(createAdapter([server.host]).digestOf(imageAt(server.host, { digest })));
    expect(failure).toMatchObject({
      name: "RegistryAnswerInvalid",
      message: expect.stringMatching(/returned sha256:.* instead/),
    });
  });

  test("if the tag does not exist, and the message names it", async () => {
    await using server = await startScriptedServer((_, response) => response.writeHead(404).end());
    const failure = await catchError(createAdapter([server.host]).digestOf(imageAt(server.host, { tag: "9.9.9" })));
    expect(failure).toMatchObject({ name: "RepositoryNotFound", message: expect.stringContaining("team/app:9.9.9") });
  });
});
