import type { ImageReference } from "../domain/image/reference.ts";
import type { PullLogins } from "./registry.ts";

/** What an index or a manifest says of other content (OCI image specification). */
export interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  /** In bytes. */
  readonly size: number;
  readonly annotations: Readonly<Record<string, string>>;
}

export interface ArtifactManifest {
  /** Of the bytes that the registry sent. */
  readonly digest: string;
  readonly mediaType: string;
  /** Empty for an index. */
  readonly layers: readonly Descriptor[];
  /** The manifests of an index; empty for others. */
  readonly manifests: readonly Descriptor[];
}

/**
 * What is stored beside an image: signatures and attestations. Every method may throw the errors of `Registry` but `RepositoryNotFound`;
 * after any error, nothing may be decided.
 */
export interface Artifacts {
  /** Returns the manifest of a tag or digest, whose bytes have that digest; null if the registry has none. */
  fetchManifest(image: ImageReference, logins?: PullLogins): Promise<ArtifactManifest | null>;

  /** Returns content of at most 1 MiB, which has the digest of its descriptor; null if the registry has none, or it is larger. */
  fetchBlob(image: ImageReference, blob: Descriptor, logins?: PullLogins): Promise<Uint8Array | null>;

  /** Returns the referrers of a digest, of all pages (at most 64); null if the registry has no such API. */
  listReferrers(image: ImageReference, digest: string, logins?: PullLogins): Promise<readonly Descriptor[] | null>;
}
