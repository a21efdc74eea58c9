import type { SigningAuthority } from "../domain/signature/authority.ts";

/** The cryptography of signatures. Nothing here sends a request, and nothing throws: what is malformed is invalid. */
export interface Signatures {
  /** Verifies a Sigstore bundle with a DSSE envelope. Its payload may be about anything. */
  verifyEnvelope(
    bundle: unknown,
    authority: SigningAuthority,
  ): { readonly kind: "valid"; readonly payloadType: string; readonly payload: Uint8Array } | InvalidSignature;

  /** Returns why an authority has not signed a payload of simple signing; null if it has. The payload may be about anything. */
  simpleSigningReason(
    payload: Uint8Array,
    annotations: Readonly<Record<string, string>>,
    authority: SigningAuthority,
  ): string | null;
}

export interface InvalidSignature {
  readonly kind: "invalid";
  readonly reason: string;
}
