import { createHash, verify } from "node:crypto";
import * as v from "valibot";
import type { SigningAuthority } from "../../domain/signature/authority.ts";
import { parsePublicKey } from "./public-key.ts";
import { messageReason, parseBundle } from "./verify-bundle.ts";

/** What the layer of a simple signing signature has in its annotations (`pkg/oci/internal/signature/layer.go` of cosign). */
const annotationNames = {
  signature: "dev.cosignproject.cosign/signature",
  certificate: "dev.sigstore.cosign/certificate",
  bundle: "dev.sigstore.cosign/bundle",
} as const;

const logBundle = v.object({
  SignedEntryTimestamp: v.string(),
  Payload: v.object({
    body: v.string(),
    integratedTime: v.number(),
    logIndex: v.number(),
    logID: v.pipe(v.string(), v.hexadecimal()),
  }),
});

/** Returns why an authority has not signed these bytes by simple signing; null if it has. They may be about anything. */
export function simpleSigningReason(
  payload: Uint8Array,
  annotations: Readonly<Record<string, string>>,
  authority: SigningAuthority,
): string | null {
  const signature = annotations[annotationNames.signature];
  if (signature === undefined) return "the layer has no signature";
  const certificate = annotations[annotationNames.certificate];
  if (authority.kind === "key" && certificate !== undefined) return "it is signed by a certificate, not by a key";
  if (authority.kind === "keyless" && certificate === undefined) return "it is signed by a key, not by a certificate";
  if (authority.kind === "key" && authority.transparencyLog === "optional")
    return keyReason(payload, signature, authority.publicKey);
  const entry = logEntryOf(annotations[annotationNames.bundle]);
  if (entry === null) return "it has no entry of a transparency log";
  const bundle = parseBundle(bundleOf(payload, signature, certificate, entry));
  return bundle === null ? "its certificate or log entry is malformed" : messageReason(bundle, payload, authority);
}

function keyReason(payload: Uint8Array, signature: string, pem: string): string | null {
  const parsed = parsePublicKey(pem);
  if (parsed.kind === "invalid") return `the key ${parsed.reason}`;
  const algorithm = parsed.key.asymmetricKeyType === "ed25519" ? null : "sha256";
  const isValid = verify(algorithm, payload, parsed.key, Buffer.from(signature, "base64"));
  return isValid ? null : "signature verification failed";
}

function logEntryOf(annotation: string | undefined): object | null {
  if (annotation === undefined) return null;
  try {
    const { Payload, SignedEntryTimestamp } = v.parse(logBundle, JSON.parse(annotation));
    const { kind, apiVersion } = v.parse(
      v.object({ kind: v.string(), apiVersion: v.string() }),
      JSON.parse(Buffer.from(Payload.body, "base64").toString()),
    );
    return {
      logIndex: `${Payload.logIndex}`,
      logId: { keyId: Buffer.from(Payload.logID, "hex").toString("base64") },
      kindVersion: { kind, version: apiVersion },
      integratedTime: `${Payload.integratedTime}`,
      inclusionPromise: { signedEntryTimestamp: SignedEntryTimestamp },
      canonicalizedBody: Payload.body,
    };
  } catch {
    return null;
  }
}

/** The same as a bundle of version 0.1, for the library that verifies certificates and logs. */
function bundleOf(payload: Uint8Array, signature: string, certificate: string | undefined, entry: object): object {
  const digest = createHash("sha256").update(payload).digest("base64");
  const key =
    certificate === undefined
      ? { publicKey: { hint: "" } }
      : { x509CertificateChain: { certificates: [{ rawBytes: derOf(certificate) }] } };
  return {
    mediaType: "application/vnd.dev.sigstore.bundle+json;version=0.1",
    verificationMaterial: { ...key, tlogEntries: [entry] },
    messageSignature: { messageDigest: { algorithm: "SHA2_256", digest }, signature },
  };
}

/** Returns the base64 within PEM. */
function derOf(pem: string): string {
  return pem.replaceAll(/-----[A-Z ]+-----|\s/g, "");
}
