/** A parsed image reference. */
export interface ImageReference {
  /** The host of the registry's API, with its port: `registry-1.docker.io` for Docker Hub. */
  readonly registry: string;
  /** The path below the host, with `library/` where Docker Hub implies it. */
  readonly repository: string;
  readonly tag: string | null;
  /** `algorithm:hex`. */
  readonly digest: string | null;
}
