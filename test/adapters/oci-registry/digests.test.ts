import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { adapterFor, failureOf, imageOn, scripted, type Heard } from "./scripted.ts";

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

function answering(body: string, headers: Record<string, string> = {}) {
  return ({ method }: Heard, response: ServerResponse) =>
    void response.writeHead(200, headers).end(method === "HEAD" ? undefined : body);
}

describe("the digests", () => {
  test.for([
    { of: "an index", body: index, headers: {}, digests: [hash(index), amd, arm, attestation] },
    {
      of: "an index with its digest",
      body: index,
      headers: { "docker-content-digest": hash(index) },
      digests: [hash(index), amd, arm, attestation],
    },
    {
      of: "an index by a longer hash",
      body: index,
      headers: { "docker-content-digest": hash(index, "sha512") },
      digests: [hash(index, "sha512"), amd, arm, attestation],
    },
    { of: "an image without an index", body: single, headers: {}, digests: [hash(single)] },
    { of: "an empty index", body: '{"schemaVersion":2,"manifests":[]}', headers: {}, digests: [expect.any(String)] },
  ])("of $of begin with that of its bytes", async ({ body, headers, digests }) => {
    await using server = await scripted(answering(body, headers));
    expect(await adapterFor([server.host]).digestsOf(imageOn(server.host, { tag: "1.0.0" }))).toEqual(digests);
    expect(server.heard).toMatchObject([{ method: "GET", path: "/v2/team/app/manifests/1.0.0" }]);
  });

  test("of an index that names one manifest twice have it once", async () => {
    const body = JSON.stringify({ schemaVersion: 2, manifests: [{ digest: amd }, { digest: amd }] });
    await using server = await scripted(answering(body));
    expect(await adapterFor([server.host]).digestsOf(imageOn(server.host))).toEqual([hash(body), amd]);
  });

  test("of a reference with a digest are of that very manifest", async () => {
    await using server = await scripted(answering(index));
    const registry = adapterFor([server.host]);
    for (const digest of [hash(index), hash(index, "sha384"), hash(index, "sha512")])
      expect((await registry.digestsOf(imageOn(server.host, { digest })))[0]).toBe(digest);
    const failure = await failureOf(registry.digestsOf(imageOn(server.host, { digest: hash(single) })));
    expect(failure).toMatchObject({ name: "RegistryAnswerInvalid", message: expect.stringContaining("instead") });
  });
});

describe("no digests are better than false ones", () => {
  const manifests = (value: unknown) => JSON.stringify({ schemaVersion: 2, manifests: value });
  test.for([
    {
      when: "the header names another's",
      headers: { "docker-content-digest": hash(single) },
      says: /for bytes that have/,
    },
    { when: "the header is junk", headers: { "docker-content-digest": "latest" }, says: /of another kind for bytes/ },
    {
      when: "the header cannot be verified",
      headers: { "docker-content-digest": `blake3:${"ab".repeat(32)}` },
      says: /for bytes that have sha256/,
    },
    { when: "a login page answers", body: "<html>", says: /no image manifest/ },
    { when: "an older schema answers", body: '{"schemaVersion":1}', says: /no image manifest/ },
    { when: "manifests are no list", body: manifests({ digest: amd }), says: /have no digests/ },
    { when: "manifests are null", body: manifests(null), says: /have no digests/ },
    { when: "a manifest is null", body: manifests([null]), says: /have no digests/ },
    { when: "a manifest has no digest", body: manifests([{ digest: amd }, {}]), says: /have no digests/ },
    { when: "a digest is cut short", body: manifests([{ digest: amd?.slice(0, -1) }]), says: /have no digests/ },
    {
      when: "a digest only looks like one",
      body: manifests([{ digest: amd?.replace("s", "ѕ") }]),
      says: /have no digests/,
    },
  ])("when $when", async ({ body = index, headers = {}, says }) => {
    await using server = await scripted(answering(body, headers));
    const failure = await failureOf(adapterFor([server.host]).digestsOf(imageOn(server.host)));
    expect(failure).toMatchObject({ name: "RegistryAnswerInvalid", message: expect.stringMatching(says) });
  });
});
