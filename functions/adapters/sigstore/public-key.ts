import { createPublicKey, type KeyObject } from "node:crypto";

const types = new Set(["ec", "rsa", "ed25519"]);

/** Parses a public key in PEM (SPKI), or returns why it is none, to follow its name. No part of the text is repeated: it may be a private key. */
export function parsePublicKey(
  pem: string,
): { readonly kind: "public-key"; readonly key: KeyObject } | { readonly kind: "invalid"; readonly reason: string } {
  // Node.js would derive the public key of a private one.
  if (pem.includes("PRIVATE KEY"))
    return invalid("is a private key; use the public key, and replace the pair if others could read it");
  try {
    const key = createPublicKey({ key: pem, format: "pem" });
    if (types.has(key.asymmetricKeyType ?? "")) return { kind: "public-key", key };
    return invalid(`is a key of type ${key.asymmetricKeyType}; use an ECDSA, RSA or Ed25519 key`);
  } catch {
    return invalid("is not a public key in PEM; use the file that begins with -----BEGIN PUBLIC KEY-----");
  }
}

function invalid(reason: string): { readonly kind: "invalid"; readonly reason: string } {
  return { kind: "invalid", reason };
}
