/** A trusted root of Sigstore: the certificate authorities and logs that are trusted. */
export interface TrustedRootProps {
  /** The path of a `trusted_root.json`. */
  readonly file: string;
  /** When it was downloaded, as `2026-11-30`. */
  readonly date: string;
}

export interface KmsKeyProps {
  readonly kmsKeyArn: string;
  /** Its public key in PEM. The app of Pawl reads it; an app of your own gives it. */
  readonly publicKey?: string | null | undefined;
}

/** Who has a private key. */
export interface KeyAuthorityProps {
  /** The path of its public key in PEM, or a key of KMS. */
  readonly key: string | KmsKeyProps;
  /**
   * `optional`: no transparency log is asked.
   * @default required
   */
  readonly transparencyLog?: "required" | "optional" | undefined;
  readonly trustedRoot?: TrustedRootProps | null | undefined;
}

/** Who has a certificate: `identity` and `issuer`, or a workflow of GitHub Actions by `repository` and `ref`. */
export interface KeylessAuthorityProps {
  readonly keyless: {
    readonly identity?: string | null | undefined;
    readonly issuer?: string | null | undefined;
    readonly repository?: string | null | undefined;
    readonly workflow?: string | null | undefined;
    readonly ref?: string | null | undefined;
    readonly trustedRoot: TrustedRootProps;
  };
}

/** ECR managed signing: ECR says that it has signed the image by one of these profiles of AWS Signer. Not for attestations. */
export interface EcrAuthorityProps {
  readonly ecrSigning: { readonly profiles: readonly string[] };
}

export type AuthorityProps = KeyAuthorityProps | KeylessAuthorityProps | EcrAuthorityProps;

export interface AttestationProps {
  /** A URL or a short name such as `slsaprovenance1`. */
  readonly predicateType: string;
  readonly any: readonly AuthorityProps[];
  /** The builder that a SLSA provenance must name. */
  readonly builder?: string | null | undefined;
}

/** Who must have signed the images of some repositories. */
export interface VerifyRuleProps {
  /** As `host[:port][/path]`. */
  readonly repositories: readonly string[];
  /** @default workloads in all namespaces */
  readonly namespaces?: readonly string[] | null | undefined;
  /** One suffices. */
  readonly any?: readonly AuthorityProps[] | undefined;
  /** All are needed. */
  readonly attestations?: readonly AttestationProps[] | undefined;
  /**
   * `warn`: an image that is not verified is reported, and applied.
   * @default enforce
   */
  readonly mode?: "enforce" | "warn" | undefined;
}
