import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { createAdapter, catchError, imageAt, startScriptedServer, type ReceivedRequest } from "./scripted-server.ts";

const [amd, arm, attestation] = ["aa", "bb", "cc"].map((pair) => `sha256:${pair.repeat(32)}`);
const index = JSON.stringify({
  schemaVersion: 2,
  mediaType: "application/vnd.oci.image.index.v1+json",
  manifests: [{ digest: amd, platform: { architecture: "amd64" } }, { digest: arm }, { digest: attestation }],
});
const single = JSON.stringify({ schemaVersion: 2, config: { digest: amd }, layers: [{ digest: arm }] });

function hash(body: string, algorithm = "sha256"): string {
  return `${algorithm}:${createHash(algorithm).update(body).digest("hex")}`;
}

function respondWith(body: string, headers: Record<string, string> = {}) {
  return ({ method }: ReceivedRequest, response: ServerResponse) =>
    void response.writeHead(200, headers).end(method === "HEAD" ? undefined : body);
}

describe("the digests", () => {
  test.for([
    { when: "an index", body: index, headers: {}, digests: [hash(index), amd, arm, attestation] },
    {
      when: "an index with its digest",
      body: index,
      headers: { "docker-content-digest": hash(index) },
      digests: [hash(index), amd, arm, attestation],
    },
    {
      when: "an index with a sha512 digest",
      body: index,
      headers: { "docker-content-digest": hash(index, "sha512") },
      digests: [hash(index, "sha512"), amd, arm, attestation],
    },
    { when: "an image without an index", body: single, headers: {}, digests: [hash(single)] },
    { when: "an empty index", body: '{"schemaVersion":2,"manifests":[]}', headers: {}, digests: [expect.any(String)] },
  ])("of $when start with that of its bytes", async ({ body, headers, digests }) => {
    await using server = await startScriptedServer(respondWith(body, headers));
    expect(await createAdapter([server.host]).digestsOf(imageAt(server.host, { tag: "1.0.0" }))).toEqual(digests);
    expect(server.requests).toMatchObject([{ method: "GET", path: "/v2/team/app/manifests/1.0.0" }]);
  });

  test.for([
    { what: "a Helm chart", fields: { config: { mediaType: "application/vnd.cncf.helm.config.v1+json" } } },
    {
      what: "a signature of cosign",
      fields: { layers: [{ mediaType: "application/vnd.dev.cosign.simplesigning.v1+json" }] },
    },
    {
      what: "a signature of sigstore",
      fields: { artifactType: "application/vnd.dev.sigstore.bundle.v0.3+json" },
    },
    {
      what: "an artifact that is no image",
      fields: {
        artifactType: "text/plain",
        config: { mediaType: "application/vnd.oci.empty.v1+json" },
        layers: [7, {}],
      },
    },
  ])("are none of $what", async ({ what, fields }) => {
    await using server = await startScriptedServer(respondWith(JSON.stringify({ schemaVersion: 2, ...fields })));
    const error = await catchError(createAdapter([server.host]).digestsOf(imageAt(server.host, { tag: "1.0.0" })));
    expect(error).toMatchObject({
      name: "NotAnImage",
      message: expect.stringContaining(`is ${what}, which no container can run.`),
    });
  });

  test("of an index that lists one manifest twice contain it once", async () => {
    const body = JSON.stringify({ schemaVersion: 2, manifests: [{ digest: amd }, { digest: amd }] });
    await using server = await startScriptedServer(respondWith(body));
    expect(await createAdapter([server.host]).digestsOf(imageAt(server.host))).toEqual([hash(body), amd]);
  });

  test("of a reference with a digest are those of exactly that manifest", async () => {
    await using server = await startScriptedServer(respondWith(index));
    const registry = createAdapter([server.host]);
    for (const digest of [hash(index), hash(index, "sha384"), hash(index, "sha512")])
      expect((await registry.digestsOf(imageAt(server.host, { digest })))[0]).toBe(digest);
    const failure = await catchError(registry.digestsOf(imageAt(server.host, { digest: hash(single) })));
    expect(failure).toMatchObject({ name: "RegistryAnswerInvalid", message: expect.stringContaining("instead") });
  });
});

describe("the digests are rejected", () => {
  const manifests = (value: unknown) => JSON.stringify({ schemaVersion: 2, manifests: value });
  test.for([
    {
      when: "the header has the digest of another manifest",
      headers: { "docker-content-digest": hash(single) },
      message: /but the digest of the body is/,
    },
    {
      when: "the header is invalid",
      headers: { "docker-content-digest": "latest" },
      message: /is not a valid digest, but/,
    },
    {
      when: "the header cannot be verified",
      headers: { "docker-content-digest": `blake3:${"ab".repeat(32)}` },
      message: /the digest of the body is sha256/,
    },
    { when: "the response is a login page", body: "<html>", message: /not an image manifest/ },
    { when: "the manifest has an older schema", body: '{"schemaVersion":1}', message: /not an image manifest/ },
    { when: "manifests are not a list", body: manifests({ digest: amd }), message: /without a valid digest/ },
    { when: "manifests are null", body: manifests(null), message: /without a valid digest/ },
    { when: "a manifest is null", body: manifests([null]), message: /without a valid digest/ },
    { when: "a manifest has no digest", body: manifests([{ digest: amd }, {}]), message: /without a valid digest/ },
    {
      when: "a digest is truncated",
      body: manifests([{ digest: amd?.slice(0, -1) }]),
      message: /without a valid digest/,
    },
    {
      when: "a digest contains a look-alike character",
      body: manifests([{ digest: amd?.replace("s", "ѕ") }]),
      message: /without a valid digest/,
    },
  ])("if $when", async ({ body = index, headers = {}, message }) => {
    await using server = await startScriptedServer(respondWith(body, headers));
    const failure = await catchError(createAdapter([server.host]).digestsOf(imageAt(server.host)));
    expect(failure).toMatchObject({ name: "RegistryAnswerInvalid", message: expect.stringMatching(message) });
  });
});
