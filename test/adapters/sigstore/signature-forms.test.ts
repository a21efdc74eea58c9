import { expect, test } from "vitest";
import { createOciRegistry } from "../../../functions/adapters/oci-registry/registry.ts";
import { signatures } from "../../../functions/adapters/sigstore/signatures.ts";
import { signaturePredicate } from "../../../functions/domain/signature/statement.ts";
import type { Verification } from "../../../functions/domain/signature/verification.ts";
import { verifyImage } from "../../../functions/workflows/verify-image/verify-image.ts";
import { type ArtifactRegistry, startArtifactRegistry } from "../../support/signatures/artifact-registry.ts";
import { createKeyPair, createKeySigner, type KeyPair, type SignedLayer } from "../../support/signatures/signer.ts";

const [ours, theirs] = [createKeyPair(), createKeyPair()];

async function verify({ host }: ArtifactRegistry, { pem }: KeyPair): Promise<Verification> {
  const artifacts = createOciRegistry({ credentials: async () => null, insecureHosts: [host], now: () => new Date() });
  const key = {
    kind: "key",
    name: "release.pub",
    publicKey: pem,
    transparencyLog: "optional",
    trustedRoot: null,
  } as const;
  const requirements = [{ predicateType: signaturePredicate, any: [key], builder: null }];
  const image = { registry: host, repository: "team/app", tag: "1.0.0", digest: null };
  return verifyImage({ artifacts, signatures }, image, requirements);
}

interface Bundle {
  readonly dsseEnvelope: { readonly signatures: readonly object[] };
}

function bundleOf({ content }: SignedLayer): Bundle {
  return JSON.parse(content.toString()) as Bundle;
}

function withBundle(layer: SignedLayer, bundle: object): SignedLayer {
  return { ...layer, content: Buffer.from(JSON.stringify(bundle)) };
}

test.for(["ec", "rsa", "ed25519"] as const)("a key of the type %s verifies both formats", async (type) => {
  const pair = createKeyPair(type);
  for (const format of ["bundle", "simpleSigning"] as const) {
    await using registry = await startArtifactRegistry();
    registry.attach("referrers", await createKeySigner(pair)[format](registry.digest));
    expect((await verify(registry, pair)).kind).toBe("verified");
    expect((await verify(registry, createKeyPair(type))).kind).toBe("unverified");
  }
});

test.for([
  "application/vnd.dev.sigstore.bundle+json;version=0.1",
  "application/vnd.dev.sigstore.bundle+json;version=0.2",
  "application/vnd.dev.sigstore.bundle+json;version=0.3",
  "application/vnd.dev.sigstore.bundle.v0.3+json",
])("a bundle of the type %s is read", async (mediaType) => {
  await using registry = await startArtifactRegistry();
  const layer = await createKeySigner(ours).bundle(registry.digest);
  registry.attach("referrers", { ...withBundle(layer, { ...bundleOf(layer), mediaType }), mediaType });
  expect((await verify(registry, ours)).kind).toBe("verified");
});

test.for([
  { first: "ours", is: "unverified" },
  { first: "theirs", is: "unverified" },
])("an envelope with two signatures, $first first, is $is", async ({ first, is }) => {
  await using registry = await startArtifactRegistry();
  const layer = await createKeySigner(ours).bundle(registry.digest);
  const own = bundleOf(layer);
  const other = bundleOf(await createKeySigner(theirs).bundle(registry.digest));
  const both = [...own.dsseEnvelope.signatures, ...other.dsseEnvelope.signatures];
  const all = first === "ours" ? both : both.toReversed();
  registry.attach("referrers", withBundle(layer, { ...own, dsseEnvelope: { ...own.dsseEnvelope, signatures: all } }));
  expect((await verify(registry, ours)).kind).toBe(is);
});

test("64 signatures are read, and none after them", async () => {
  await using registry = await startArtifactRegistry({ hasReferrers: false });
  const signer = createKeySigner(theirs);
  for (let index = 0; index < 64; index += 1)
    registry.attach(".sig", await signer.simpleSigning(registry.digest, { critical: { index } }));
  registry.attach(".sig", await createKeySigner(ours).simpleSigning(registry.digest));
  const found = await verify(registry, ours);
  expect([found.kind, found.signatures.length]).toEqual(["unverified", 64]);
});
