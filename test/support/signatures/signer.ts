import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { initializeCA, initializeCTLog, initializeTLog } from "@sigstore/mock";
import { signaturePredicate, statementPayloadType } from "../../../functions/domain/signature/statement.ts";

/** Signs as cosign does: by a key or a certificate, in both of its formats. */
export interface Signer {
  /** A layer of simple signing for a digest. */
  simpleSigning(digest: string, change?: SimpleSigningChange): Promise<SignedLayer>;
  /** A Sigstore bundle that states a predicate about a digest. */
  bundle(digest: string, change?: BundleChange): Promise<SignedLayer>;
}

export interface SignedLayer {
  readonly mediaType: string;
  readonly content: Buffer;
  readonly annotations: Readonly<Record<string, string>>;
}

interface SimpleSigningChange {
  /** Replaces fields of the payload before it is signed. */
  readonly critical?: object;
}

interface BundleChange {
  readonly predicateType?: string;
  readonly predicate?: unknown;
  readonly payloadType?: string;
  /** Replaces fields of the statement before it is signed. */
  readonly statement?: object;
}

interface Log {
  readonly publicKey: Buffer;
  log(entry: object): Promise<Record<string, unknown>>;
}

/** What a signer proves itself by: a key, or a certificate for it. */
interface Identity {
  readonly privateKey: KeyObject;
  /** The hint of a public key, or a certificate in DER. */
  readonly certificate: Buffer | null;
  readonly log: Log | null;
}

export interface KeyPair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** SPKI in PEM. */
  readonly pem: string;
}

const pairs = {
  ec: () => generateKeyPairSync("ec", { namedCurve: "P-256" }),
  rsa: () => generateKeyPairSync("rsa", { modulusLength: 2048 }),
  ed25519: () => generateKeyPairSync("ed25519"),
} as const;

export function createKeyPair(type: keyof typeof pairs = "ec"): KeyPair {
  const pair = pairs[type]();
  return { ...pair, pem: pair.publicKey.export({ type: "spki", format: "pem" }) as string };
}

/** Signs by a key, without a log if it is null. */
export function createKeySigner({ privateKey }: KeyPair, log: Log | null = null): Signer {
  return createSigner(async () => ({ privateKey, certificate: null, log }));
}

/** A certificate authority with its logs, as Sigstore runs them. */
export interface Authority {
  /** `trusted_root.json` of this authority. */
  readonly trustedRoot: object;
  readonly log: Log;
  /** Signs by a certificate for an identity. */
  createSigner(identity: string, issuer: string): Signer;
}

export async function createAuthority(): Promise<Authority> {
  const log = (await initializeTLog("https://rekor.test", createKeyPair())) as unknown as Log;
  const certificateLog = await initializeCTLog(createKeyPair());
  const ca = await initializeCA(createKeyPair(), certificateLog);
  const validFor = { start: "2020-01-01T00:00:00Z" };
  const logOf = (baseUrl: string, keyId: Uint8Array, publicKey: Uint8Array) => ({
    baseUrl,
    hashAlgorithm: "SHA2_256",
    logId: { keyId: base64(keyId) },
    publicKey: { rawBytes: base64(publicKey), keyDetails: "PKIX_ECDSA_P256_SHA_256", validFor },
  });
  return {
    log,
    trustedRoot: {
      mediaType: "application/vnd.dev.sigstore.trustedroot+json;version=0.1",
      tlogs: [logOf("https://rekor.test", sha256(log.publicKey), log.publicKey)],
      ctlogs: [logOf("https://ct.test", certificateLog.logID as Uint8Array, certificateLog.publicKey)],
      certificateAuthorities: [
        {
          subject: { organization: "test", commonName: "test" },
          uri: "https://fulcio.test",
          certChain: { certificates: [{ rawBytes: base64(ca.rootCertificate as Uint8Array) }] },
          validFor,
        },
      ],
      timestampAuthorities: [],
    },
    createSigner: (identity, issuer) =>
      createSigner(async () => {
        const { privateKey, publicKey } = createKeyPair();
        const certificate = await ca.issueCertificate({
          publicKey: publicKey.export({ type: "spki", format: "der" }),
          subjectAltName: identity,
          extensions: [{ oid: "1.3.6.1.4.1.57264.1.8", value: issuer }],
        });
        return { privateKey, certificate: Buffer.from(certificate as Uint8Array), log };
      }),
  };
}

function createSigner(identify: () => Promise<Identity>): Signer {
  return {
    async simpleSigning(digest, { critical = {} } = {}) {
      const identity = await identify();
      const image = { "docker-manifest-digest": digest };
      const named = {
        identity: { "docker-reference": "r" },
        image,
        type: "cosign container image signature",
        ...critical,
      };
      const content = Buffer.from(JSON.stringify({ critical: named, optional: null }));
      const signature = signBytes(content, identity.privateKey);
      return {
        mediaType: "application/vnd.dev.cosign.simplesigning.v1+json",
        content,
        annotations: {
          "dev.cosignproject.cosign/signature": base64(signature),
          ...(identity.certificate === null ? {} : { "dev.sigstore.cosign/certificate": pemOf(identity.certificate) }),
          ...(identity.log === null
            ? {}
            : { "dev.sigstore.cosign/bundle": await logBundle(identity, content, signature) }),
        },
      };
    },
    async bundle(
      digest,
      { predicateType = signaturePredicate, predicate = {}, payloadType = statementPayloadType, statement = {} } = {},
    ) {
      const identity = await identify();
      const [algorithm = "", hex = ""] = digest.split(":");
      const stated = {
        _type: "https://in-toto.io/Statement/v1",
        subject: [{ digest: { [algorithm]: hex } }],
        predicateType,
        predicate,
      };
      const payload = Buffer.from(JSON.stringify({ ...stated, ...statement }));
      const signature = signBytes(preAuthenticationEncoding(payloadType, payload), identity.privateKey);
      const tlogEntries = identity.log === null ? [] : [await envelopeEntry(identity, payload, signature)];
      const key =
        identity.certificate === null
          ? { publicKey: { hint: "any" } }
          : { certificate: { rawBytes: base64(identity.certificate) } };
      const bundle = {
        mediaType: "application/vnd.dev.sigstore.bundle.v0.3+json",
        verificationMaterial: { ...key, tlogEntries },
        dsseEnvelope: { payload: base64(payload), payloadType, signatures: [{ sig: base64(signature) }] },
      };
      return {
        mediaType: "application/vnd.dev.sigstore.bundle.v0.3+json",
        content: Buffer.from(JSON.stringify(bundle)),
        annotations: {},
      };
    },
  };
}

interface LogEntry {
  readonly body: string;
  readonly integratedTime: number;
  readonly logID: string;
  readonly logIndex: number;
  readonly verification: {
    readonly signedEntryTimestamp: string;
    readonly inclusionProof: { readonly checkpoint: string; readonly rootHash: string; readonly treeSize: number };
  };
}

async function logBundle(
  { log, privateKey, certificate }: Identity,
  content: Buffer,
  signature: Buffer,
): Promise<string> {
  const { body, integratedTime, logIndex, logID, verification } = await append(log, {
    kind: "hashedrekord",
    apiVersion: "0.0.1",
    spec: {
      data: { hash: { algorithm: "sha256", value: sha256(content).toString("hex") } },
      signature: { content: base64(signature), publicKey: { content: verifierOf(privateKey, certificate) } },
    },
  });
  const { signedEntryTimestamp } = verification;
  return JSON.stringify({
    SignedEntryTimestamp: signedEntryTimestamp,
    Payload: { body, integratedTime, logIndex, logID },
  });
}

async function envelopeEntry(
  { log, privateKey, certificate }: Identity,
  payload: Buffer,
  signature: Buffer,
): Promise<object> {
  const entry = await append(log, {
    kind: "dsse",
    apiVersion: "0.0.1",
    spec: {
      payloadHash: { algorithm: "sha256", value: sha256(payload).toString("hex") },
      signatures: [{ signature: base64(signature), verifier: verifierOf(privateKey, certificate) }],
    },
  });
  const { inclusionProof, signedEntryTimestamp } = entry.verification;
  return {
    logIndex: `${entry.logIndex}`,
    logId: { keyId: Buffer.from(entry.logID, "hex").toString("base64") },
    kindVersion: { kind: "dsse", version: "0.0.1" },
    integratedTime: `${entry.integratedTime}`,
    inclusionPromise: { signedEntryTimestamp },
    inclusionProof: {
      logIndex: "0",
      treeSize: `${inclusionProof.treeSize}`,
      rootHash: Buffer.from(inclusionProof.rootHash, "hex").toString("base64"),
      hashes: [],
      checkpoint: { envelope: inclusionProof.checkpoint },
    },
    canonicalizedBody: entry.body,
  };
}

async function append(log: Log | null, entry: object): Promise<LogEntry> {
  const [logged] = Object.values((await log?.log(entry)) ?? {});
  return logged as LogEntry;
}

function verifierOf(privateKey: KeyObject, certificate: Buffer | null): string {
  return base64(Buffer.from(certificate === null ? (privateKey.asymmetricKeyType ?? "") : pemOf(certificate)));
}

/** DSSE: what is signed is the type and the payload, each with its length. */
function preAuthenticationEncoding(payloadType: string, payload: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `), payload]);
}

/** Ed25519 hashes by itself. */
function signBytes(bytes: Buffer, key: KeyObject): Buffer {
  return sign(key.asymmetricKeyType === "ed25519" ? null : "sha256", bytes, key);
}

function pemOf(der: Buffer): string {
  return `-----BEGIN CERTIFICATE-----\n${base64(der)}\n-----END CERTIFICATE-----\n`;
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(bytes).digest();
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}
