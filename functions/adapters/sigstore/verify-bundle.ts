import { createHash } from "node:crypto";
import { type Bundle, bundleFromJSON } from "@sigstore/bundle";
import { type KeyFinderFunc, type Signer, toSignedEntity, toTrustMaterial, Verifier } from "@sigstore/verify";
import type { SigningAuthority } from "../../domain/signature/authority.ts";
import { identityReason } from "../../domain/signature/identity.ts";
import type { InvalidSignature, Signatures } from "../../ports/signatures.ts";
import { parsePublicKey } from "./public-key.ts";
import { readTrustedRoot } from "./trusted-root.ts";

/** Parses a Sigstore bundle of version 0.1 to 0.3. Returns null if it is none. */
export function parseBundle(json: unknown): Bundle | null {
  try {
    return bundleFromJSON(json);
  } catch {
    return null;
  }
}

/** Verifies a DSSE envelope. The payload is returned only if the authority has signed it; it may be about anything. */
export const verifyEnvelope: Signatures["verifyEnvelope"] = (json, authority) => {
  const bundle = parseBundle(json);
  if (bundle === null) return invalid("it is no Sigstore bundle of version 0.1 to 0.3");
  if (bundle.content.$case !== "dsseEnvelope") return invalid("the bundle has no DSSE envelope");
  const { payloadType, payload } = bundle.content.dsseEnvelope;
  const reason = verifyEntity(bundle, null, authority);
  return reason === null ? { kind: "valid", payloadType, payload } : invalid(reason);
};

/** Returns why an authority has not signed these bytes by a bundle with a message signature; null if it has. */
export function messageReason(bundle: Bundle, bytes: Uint8Array, authority: SigningAuthority): string | null {
  if (bundle.content.$case !== "messageSignature") return "the bundle has no message signature";
  const { messageDigest } = bundle.content.messageSignature;
  const digest = createHash("sha256").update(bytes).digest();
  // The library compares the log's entry with this digest, which the bundle itself states.
  if (!digest.equals(messageDigest.digest)) return "the bundle states another digest of the payload";
  return verifyEntity(bundle, Buffer.from(bytes), authority);
}

/** Every error of the library is a refusal: it throws also for what is malformed. */
function verifyEntity(bundle: Bundle, artifact: Buffer | null, authority: SigningAuthority): string | null {
  const { $case } = bundle.verificationMaterial.content;
  if (authority.kind === "key" && $case !== "publicKey") return "it is signed by a certificate, not by a key";
  if (authority.kind === "keyless" && $case === "publicKey") return "it is signed by a key, not by a certificate";
  try {
    const signer = verifierOf(authority).verify(toSignedEntity(logged(bundle, authority), artifact ?? undefined));
    return authority.kind === "key" ? null : identityReason(authority, identityOf(signer));
  } catch (error) {
    return error instanceof Error && error.name !== "TypeError" ? error.message : "the bundle is malformed";
  }
}

/** Requires a log and, for a certificate, its own log and a time; a key without a log needs neither. */
function verifierOf(authority: SigningAuthority): Verifier {
  const root = readTrustedRoot(authority.trustedRoot);
  if (authority.kind === "keyless") return new Verifier(toTrustMaterial(root));
  const parsed = parsePublicKey(authority.publicKey);
  if (parsed.kind === "invalid") throw new Error(`the key ${parsed.reason}`);
  // Whatever key the bundle hints at: the authority's own is tried.
  const findKey: KeyFinderFunc = () => ({ publicKey: parsed.key, validFor: () => true });
  const tlogThreshold = authority.transparencyLog === "required" ? 1 : 0;
  return new Verifier(toTrustMaterial(root, findKey), { tlogThreshold, timestampThreshold: 0 });
}

/** Leaves out entries of a log that is not asked: the root does not know it. */
function logged(bundle: Bundle, authority: SigningAuthority): Bundle {
  if (authority.kind === "keyless" || authority.transparencyLog === "required") return bundle;
  const { content } = bundle.verificationMaterial;
  const verificationMaterial = { content, tlogEntries: [], timestampVerificationData: undefined };
  return { ...bundle, verificationMaterial };
}

function identityOf({ identity }: Signer) {
  return { subject: identity?.subjectAlternativeName, issuer: identity?.extensions?.issuer };
}

function invalid(reason: string): InvalidSignature {
  return { kind: "invalid", reason };
}
