/** Where a signature was found. */
export type SignaturePlace = "referrers" | "tag" | "sig" | "ecr";

/** One signature or attestation that was found. */
export interface FoundSignature {
  readonly place: SignaturePlace;
  readonly format: "bundle" | "simple signing" | "managed signing";
  /** The predicate type of an attestation; null for a signature, or if it could not be read. */
  readonly predicateType: string | null;
  /** The authority that it is valid by; null if by none. */
  readonly authority: string | null;
  /** Why it is not valid; null if it is. */
  readonly reason: string | null;
}

export interface Verification {
  readonly kind: "verified" | "unverified";
  /** What the reference resolved to: the digest that was verified, and that must run. */
  readonly digest: string;
  /** One sentence for people: by whom, or why not. */
  readonly reason: string;
  /** The places that were checked: `referrers: 0`, `sha256-…: none`, `sha256-….sig: 1`. */
  readonly checked: readonly string[];
  readonly signatures: readonly FoundSignature[];
}
