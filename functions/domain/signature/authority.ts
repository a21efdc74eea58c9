/** Who may sign: one of these suffices. */
export type Authority = SigningAuthority | EcrAuthority;

/** Whose signature is verified here. */
export type SigningAuthority = KeyAuthority | KeylessAuthority;

/** ECR signs what is pushed (managed signing), and says so itself: its signatures are not verified here. */
export interface EcrAuthority {
  readonly kind: "ecr";
  /** ARNs of profiles of AWS Signer; one suffices, in any version. */
  readonly profiles: readonly string[];
}

export interface KeyAuthority {
  readonly kind: "key";
  /** Names it in messages: the file of the key. */
  readonly name: string;
  /** SPKI in PEM. */
  readonly publicKey: string;
  /** If required, an entry of a transparency log of the root. Otherwise no log is asked, as `cosign verify --insecure-ignore-tlog`. */
  readonly transparencyLog: "required" | "optional";
  /** `trusted_root.json` of the log; null if none is required. */
  readonly trustedRoot: unknown;
}

/** A certificate of Fulcio for an identity, with an entry in a transparency log. */
export interface KeylessAuthority {
  readonly kind: "keyless";
  /** Compared as a whole; an expression if it begins with `^` and ends with `$`. */
  readonly identity: string;
  /** The URL of the OIDC provider, compared as a whole. */
  readonly issuer: string;
  /** `trusted_root.json`: the certificate authorities and logs that are trusted. */
  readonly trustedRoot: unknown;
}

/** Something that must be signed about an image, by one of these authorities. */
export interface Requirement {
  /** What is stated: `signaturePredicate` for a signature, and the type of an attestation otherwise. */
  readonly predicateType: string;
  readonly any: readonly Authority[];
  /** The builder that a SLSA provenance must name; null for any. */
  readonly builder: string | null;
}

/** Who has signed, as the certificate says. */
export interface CertificateIdentity {
  readonly subject: string | undefined;
  readonly issuer: string | undefined;
}

export function describeAuthority(authority: Authority): string {
  if (authority.kind === "ecr") return `ECR managed signing by ${authority.profiles.join(" or ")}`;
  return authority.kind === "key" ? `key ${authority.name}` : `${authority.identity} by ${authority.issuer}`;
}
