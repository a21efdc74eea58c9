import { beforeAll, describe, expect, test } from "vitest";
import { signatures } from "../../../functions/adapters/sigstore/signatures.ts";
import { createOciRegistry } from "../../../functions/adapters/oci-registry/registry.ts";
import type { Authority, Requirement } from "../../../functions/domain/signature/authority.ts";
import { signaturePredicate } from "../../../functions/domain/signature/statement.ts";
import type { Verification } from "../../../functions/domain/signature/verification.ts";
import { verifyImage } from "../../../functions/workflows/verify-image/verify-image.ts";
import { type Place, startArtifactRegistry } from "../../support/signatures/artifact-registry.ts";
import {
  type Authority as CertificateAuthority,
  createAuthority,
  createKeyPair,
  createKeySigner,
  type SignedLayer,
  type Signer,
} from "../../support/signatures/signer.ts";

const identity = "https://github.com/shop/web/.github/workflows/release.yml@refs/heads/main";
const issuer = "https://token.actions.githubusercontent.com";
const otherDigest = `sha256:${"ab".repeat(32)}`;

const [ours, theirs] = [createKeyPair(), createKeyPair()];
let authority: CertificateAuthority;
let foreign: CertificateAuthority;

beforeAll(async () => {
  [authority, foreign] = await Promise.all([createAuthority(), createAuthority()]);
});

const places = ["referrers", "fallback index", "fallback index of old clients", ".sig", "both"] as const;
const formats = ["simple signing", "bundle"] as const;
type Format = (typeof formats)[number];
const trusts = ["key", "key without a log", "keyless"] as const;
const cases = places.flatMap((place) => formats.flatMap((format) => trusts.map((trust) => ({ place, format, trust }))));

interface Trusted {
  readonly signer: Signer;
  readonly policy: Authority;
  /** Signs in the same way by another key; of a certificate, by that of another authority for the same identity. */
  readonly otherKey: Signer;
  /** Signs by a certificate for another identity; where a key is trusted, for any. */
  readonly otherIdentity: Signer;
}

function trusted(trust: (typeof trusts)[number]): Trusted {
  const otherIdentity = authority.createSigner(identity.replace("shop", "thief"), issuer);
  if (trust === "keyless")
    return {
      signer: authority.createSigner(identity, issuer),
      policy: { kind: "keyless", identity, issuer, trustedRoot: authority.trustedRoot },
      otherKey: foreign.createSigner(identity, issuer),
      otherIdentity,
    };
  const log = trust === "key" ? authority.log : null;
  const key = { kind: "key", name: "release.pub", publicKey: ours.pem } as const;
  return {
    signer: createKeySigner(ours, log),
    policy:
      trust === "key"
        ? { ...key, transparencyLog: "required", trustedRoot: authority.trustedRoot }
        : { ...key, transparencyLog: "optional", trustedRoot: null },
    otherKey: createKeySigner(theirs, log),
    otherIdentity,
  };
}

function signedBy(...any: readonly Authority[]): readonly Requirement[] {
  return [{ predicateType: signaturePredicate, any, builder: null }];
}

function sign(signer: Signer, format: Format, digest: string): Promise<SignedLayer> {
  return format === "bundle" ? signer.bundle(digest) : signer.simpleSigning(digest);
}

function adapterFor(host: string) {
  return createOciRegistry({ credentials: async () => null, insecureHosts: [host], now: () => new Date() });
}

async function verifyAt(host: string, requirements: readonly Requirement[], isComplete = false): Promise<Verification> {
  const image = { registry: host, repository: "team/app", tag: "1.0.0", digest: null };
  return verifyImage({ artifacts: adapterFor(host), signatures }, image, requirements, { isComplete });
}

/** What is wrong with a signature, made by `signer` or one of the others. */
const wrong = {
  "of another digest": ({ signer }: Trusted, format: Format) => sign(signer, format, otherDigest),
  "by another identity": ({ otherIdentity }: Trusted, format: Format, digest: string) =>
    sign(otherIdentity, format, digest),
  "by another key": ({ otherKey }: Trusted, format: Format, digest: string) => sign(otherKey, format, digest),
  "with an altered payload": async ({ signer }: Trusted, format: Format, digest: string) =>
    alterPayload(await sign(signer, format, digest)),
  "with an altered byte of the signature": async ({ signer }: Trusted, format: Format, digest: string) =>
    alterSignature(await sign(signer, format, digest)),
} as const;

const wrongs = Object.keys(wrong) as (keyof typeof wrong)[];

describe.for(cases)("$format at $place by $trust", ({ place, format, trust }) => {
  const hasReferrers = place === "referrers" || place === "both";
  /** In both places, each has what its clients write there. */
  const stores = (of: Format): Place => (place === "both" ? (of === "bundle" ? "referrers" : ".sig") : place);

  test("is verified", async () => {
    const { signer, policy } = trusted(trust);
    await using registry = await startArtifactRegistry({ hasReferrers });
    registry.attach(stores(format), await sign(signer, format, registry.digest));
    const found = await verifyAt(registry.host, signedBy(policy));
    expect(found).toMatchObject({ kind: "verified", digest: registry.digest, signatures: [{ format, reason: null }] });
  });

  test.for(["otherKey", "otherIdentity"] as const)("behind a signature by %s is verified", async (other) => {
    const given = trusted(trust);
    await using registry = await startArtifactRegistry({ hasReferrers });
    if (place === "both") registry.attach("referrers", await sign(given[other], "bundle", registry.digest));
    registry.attach(stores(format), await sign(given[other], format, registry.digest));
    registry.attach(stores(format), await sign(given.signer, format, registry.digest));
    const found = await verifyAt(registry.host, signedBy(given.policy));
    expect(found.kind).toBe("verified");
    expect(found.signatures.map(({ authority: by }) => by !== null)).toEqual([
      ...found.signatures.slice(1).map(() => false),
      true,
    ]);
    expect(found.signatures).toHaveLength(place === "both" ? 3 : 2);
  });

  test.for(wrongs)("%s is not verified", async (what) => {
    await using registry = await startArtifactRegistry({ hasReferrers });
    for (const stored of place === "both" ? formats : [format])
      registry.attach(stores(stored), await wrong[what](trusted(trust), stored, registry.digest));
    const found = await verifyAt(registry.host, signedBy(trusted(trust).policy));
    expect(found.kind).toBe("unverified");
    expect(found.signatures).toHaveLength(place === "both" ? 2 : 1);
    for (const { authority: by, reason } of found.signatures)
      expect([by, reason]).toEqual([null, expect.stringMatching(/\w/)]);
  });
});

/** Changes a byte in the middle of the signature. */
function alterSignature({ content, annotations, ...layer }: SignedLayer): SignedLayer {
  const alter = (signature: string) => {
    const bytes = Buffer.from(signature, "base64");
    bytes[20] = (bytes[20] ?? 0) ^ 1;
    return bytes.toString("base64");
  };
  const name = "dev.cosignproject.cosign/signature";
  const own = annotations[name];
  if (own !== undefined) return { ...layer, content, annotations: { ...annotations, [name]: alter(own) } };
  const bundle = JSON.parse(content.toString()) as { dsseEnvelope: { signatures: { sig: string }[] } };
  for (const one of bundle.dsseEnvelope.signatures) one.sig = alter(one.sig);
  return { ...layer, annotations, content: Buffer.from(JSON.stringify(bundle)) };
}

/** Changes the payload and keeps the signature. */
function alterPayload({ content, ...layer }: SignedLayer): SignedLayer {
  const text = content.toString();
  if (!text.includes("dsseEnvelope")) return { ...layer, content: Buffer.from(text.replace(`"r"`, `"s"`)) };
  const bundle = JSON.parse(text) as { dsseEnvelope: { payload: string } };
  const payload = Buffer.from(bundle.dsseEnvelope.payload, "base64")
    .toString()
    .replace(`"predicate":{}`, `"predicate":{"a":1}`);
  return {
    ...layer,
    content: Buffer.from(
      JSON.stringify({
        ...bundle,
        dsseEnvelope: { ...bundle.dsseEnvelope, payload: Buffer.from(payload).toString("base64") },
      }),
    ),
  };
}

describe("a signature", () => {
  test("is found in each place, and all of them are listed for people", async () => {
    await using registry = await startArtifactRegistry();
    const { signer, policy } = trusted("key without a log");
    for (const place of ["referrers", "fallback index"] as const)
      registry.attach(place, await signer.bundle(registry.digest));
    registry.attach(".sig", await signer.simpleSigning(registry.digest));
    const { checked, signatures: found } = await verifyAt(registry.host, signedBy(policy), true);
    expect(found.map(({ place, authority: by }) => [place, by])).toEqual([
      ["referrers", "key release.pub"],
      ["tag", "key release.pub"],
      ["sig", "key release.pub"],
    ]);
    expect(checked).toEqual([
      "referrers: 1",
      expect.stringMatching(/^sha256-.*…: 1$/),
      expect.stringMatching(/^sha256-.*…\.sig: 1$/),
    ]);
  });

  test("on a later page of the referrers is found", async () => {
    await using registry = await startArtifactRegistry({ pageSize: 2 });
    const { signer, policy, otherKey: other } = trusted("key without a log");
    for (let index = 0; index < 5; index += 1)
      registry.attach("referrers", await other.bundle(registry.digest, { predicate: { index } }));
    registry.attach("referrers", await signer.bundle(registry.digest));
    expect((await verifyAt(registry.host, signedBy(policy))).kind).toBe("verified");
  });

  test("is missing: the reason says where it was checked for", async () => {
    await using registry = await startArtifactRegistry({ hasReferrers: false });
    const { reason } = await verifyAt(registry.host, signedBy(trusted("key without a log").policy));
    expect(reason).toMatch(
      /^no valid signature \(referrers: no such API, sha256-\w{12}…: none, sha256-\w{12}…\.sig: none\)$/,
    );
  });

  test.for<{ what: string; change: Parameters<Signer["bundle"]>[1]; reason: string }>([
    {
      what: "an attestation",
      change: { predicateType: "https://slsa.dev/provenance/v1" },
      reason: "it states https://slsa.dev/provenance/v1",
    },
    { what: "another payload type", change: { payloadType: "text/plain" }, reason: "not an in-toto statement" },
    { what: "another type of statement", change: { statement: { _type: "x" } }, reason: "statement is invalid" },
    { what: "no subject", change: { statement: { subject: [] } }, reason: "another digest" },
    {
      what: "a subject by another algorithm",
      change: { statement: { subject: [{ digest: { sha512: "aa" } }] } },
      reason: "another digest",
    },
  ])("is no bundle with $what", async ({ change, reason }) => {
    await using registry = await startArtifactRegistry();
    const { signer, policy } = trusted("key without a log");
    registry.attach("referrers", await signer.bundle(registry.digest, change));
    const found = await verifyAt(registry.host, signedBy(policy));
    expect(found.kind).toBe("unverified");
    expect(found.reason).toContain(reason);
  });

  test.for([
    {
      what: "type",
      critical: { type: "atomic container signature" },
      reason: "not a cosign container image signature",
    },
    { what: "image", critical: { image: {} }, reason: "not a cosign container image signature" },
  ])("of another $what in simple signing is none", async ({ critical, reason }) => {
    await using registry = await startArtifactRegistry();
    const { signer, policy } = trusted("key without a log");
    registry.attach(".sig", await signer.simpleSigning(registry.digest, { critical }));
    expect((await verifyAt(registry.host, signedBy(policy))).reason).toContain(reason);
  });

  test("by a key in the log of another authority is refused", async () => {
    await using registry = await startArtifactRegistry();
    const { policy } = trusted("key");
    registry.attach("referrers", await createKeySigner(ours, foreign.log).bundle(registry.digest));
    registry.attach(".sig", await createKeySigner(ours, foreign.log).simpleSigning(registry.digest));
    expect((await verifyAt(registry.host, signedBy(policy))).kind).toBe("unverified");
  });

  test("by a key without a log is refused where a log is required", async () => {
    await using registry = await startArtifactRegistry();
    const { policy } = trusted("key");
    registry.attach("referrers", await createKeySigner(ours).bundle(registry.digest));
    registry.attach(".sig", await createKeySigner(ours).simpleSigning(registry.digest));
    expect((await verifyAt(registry.host, signedBy(policy))).kind).toBe("unverified");
  });

  test("by a certificate of another authority is refused", async () => {
    await using registry = await startArtifactRegistry();
    const { policy } = trusted("keyless");
    const signer = foreign.createSigner(identity, issuer);
    registry.attach("referrers", await signer.bundle(registry.digest));
    registry.attach(".sig", await signer.simpleSigning(registry.digest));
    expect((await verifyAt(registry.host, signedBy(policy))).kind).toBe("unverified");
  });

  test.for([
    { given: identity, by: "https://gitlab.com", is: "unverified" },
    { given: `${identity}-2`, by: issuer, is: "unverified" },
    { given: `x${identity}`, by: issuer, is: "unverified" },
    { given: identity, by: issuer, is: "verified" },
  ])("by $given of $by is $is", async ({ given, by, is }) => {
    await using registry = await startArtifactRegistry();
    const { policy } = trusted("keyless");
    registry.attach("referrers", await authority.createSigner(given, by).bundle(registry.digest));
    expect((await verifyAt(registry.host, signedBy(policy))).kind).toBe(is);
  });

  test.for(["{", "[]", "{}", "null", `{"mediaType":"application/vnd.dev.sigstore.bundle.v0.3+json"}`])(
    "that is %s hides none beside it",
    async (text) => {
      await using registry = await startArtifactRegistry();
      const { signer, policy } = trusted("key without a log");
      const layer = await signer.bundle(registry.digest);
      registry.attach("referrers", { ...layer, content: Buffer.from(text) });
      registry.attach("referrers", { ...layer, content: Buffer.alloc(1024 * 1024 + 1, " ") });
      registry.attach("referrers", layer);
      expect((await verifyAt(registry.host, signedBy(policy))).kind).toBe("verified");
    },
  );
});

describe("an attestation", () => {
  const provenance = "https://slsa.dev/provenance/v1";
  const predicate = { runDetails: { builder: { id: "https://builder" } } };

  test.for([
    {
      what: "as required",
      change: { predicateType: provenance, predicate },
      builder: "https://builder",
      is: "verified",
    },
    {
      what: "of version 0.2 by the builder",
      change: { predicateType: provenance, predicate: { builder: { id: "https://builder" } } },
      builder: "https://builder",
      is: "verified",
    },
    { what: "by any builder", change: { predicateType: provenance, predicate: {} }, builder: null, is: "verified" },
    {
      what: "by another builder",
      change: { predicateType: provenance, predicate },
      builder: "https://other",
      is: "unverified",
    },
    { what: "without a builder", change: { predicateType: provenance }, builder: "https://other", is: "unverified" },
    {
      what: "of another type",
      change: { predicateType: "https://spdx.dev/Document" },
      builder: null,
      is: "unverified",
    },
    { what: "that is a signature", change: {}, builder: null, is: "unverified" },
  ])("$what is $is", async ({ change, builder, is }) => {
    await using registry = await startArtifactRegistry();
    const { signer, policy } = trusted("key without a log");
    registry.attach("referrers", await signer.bundle(registry.digest, change));
    const required = [{ predicateType: provenance, any: [policy], builder }];
    expect((await verifyAt(registry.host, required)).kind).toBe(is);
  });

  test("is required beside a signature", async () => {
    await using registry = await startArtifactRegistry();
    const { signer, policy } = trusted("key without a log");
    const trust = [...signedBy(policy), { predicateType: provenance, any: [policy], builder: null }];
    registry.attach("referrers", await signer.bundle(registry.digest));
    expect(await verifyAt(registry.host, trust)).toMatchObject({
      kind: "unverified",
      reason: expect.stringContaining(provenance),
    });
    registry.attach("referrers", await signer.bundle(registry.digest, { predicateType: provenance }));
    expect((await verifyAt(registry.host, trust)).kind).toBe("verified");
  });
});

describe("ECR managed signing", () => {
  const profile = "arn:aws:signer:eu-west-1:123456789012:/signing-profiles/release";
  const ecr: Authority = { kind: "ecr", profiles: [profile] };
  const signed = async () => [{ profile, status: "COMPLETE", reason: "" } as const];
  const image = (registry: string) => ({ registry, repository: "team/app", tag: "1.0.0", digest: null });

  test("suffices if ECR says that it has signed the digest", async () => {
    await using registry = await startArtifactRegistry();
    const asked: string[] = [];
    const managedSigning = async (_: unknown, digest: string) => {
      asked.push(digest);
      return signed();
    };
    const ports = { artifacts: adapterFor(registry.host), signatures, managedSigning };
    const found = await verifyImage(ports, image(registry.host), signedBy(ecr));
    expect(found).toMatchObject({
      kind: "verified",
      digest: registry.digest,
      reason: `signed by ECR managed signing by ${profile}`,
    });
    expect(asked).toEqual([registry.digest]);
    expect(registry.requests.filter(({ path }) => path.includes("referrers"))).toEqual([]);
  });

  test.for<{ what: string; answer?: () => Promise<readonly never[] | string>; reason: string }>([
    { what: "of no profile", answer: async () => [], reason: "ECR signs it by no profile" },
    { what: "that ECR does not show", answer: async () => "ECR: no", reason: "ECR: no" },
    { what: "that nobody asks for", reason: "nobody asks ECR here" },
  ])("$what is none, and a key beside it suffices", async ({ answer, reason }) => {
    await using registry = await startArtifactRegistry();
    const { signer, policy } = trusted("key without a log");
    const own = answer === undefined ? {} : { managedSigning: answer };
    const ports = { artifacts: adapterFor(registry.host), signatures, ...own };
    expect(await verifyImage(ports, image(registry.host), signedBy(ecr, policy))).toMatchObject({
      kind: "unverified",
      reason: expect.stringContaining(reason),
    });
    registry.attach("referrers", await signer.bundle(registry.digest));
    expect(await verifyImage(ports, image(registry.host), signedBy(ecr, policy))).toMatchObject({ kind: "verified" });
  });

  test("is no attestation", async () => {
    await using registry = await startArtifactRegistry();
    const ports = { artifacts: adapterFor(registry.host), signatures, managedSigning: signed };
    const required = [{ predicateType: "https://slsa.dev/provenance/v1", any: [ecr], builder: null }];
    expect((await verifyImage(ports, image(registry.host), required)).kind).toBe("unverified");
  });
});

test("a registry that is too slow says nothing about an image", async () => {
  await using registry = await startArtifactRegistry();
  const { signer, policy } = trusted("key without a log");
  registry.attach("referrers", await createKeySigner(theirs).bundle(registry.digest));
  registry.attach("referrers", await signer.bundle(registry.digest));
  let milliseconds = 0;
  const clock = () => (milliseconds += 50_000);
  const image = { registry: registry.host, repository: "team/app", tag: "1.0.0", digest: null };
  const verified = verifyImage({ artifacts: adapterFor(registry.host), signatures }, image, signedBy(policy), {
    clock,
  });
  expect(await verified.catch((error: unknown) => error)).toMatchObject({
    name: "Unreachable",
    message: expect.stringContaining("40 s"),
  });
});
