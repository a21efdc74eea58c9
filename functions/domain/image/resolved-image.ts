/** What a reference resolves to: the digest of its manifest or index. */
export interface ResolvedImage {
  readonly digest: string;
  /** What an index lists; empty for the manifest of one image. */
  readonly manifests: readonly IndexedManifest[];
}

interface IndexedManifest {
  readonly digest: string;
  /** `os/architecture`; null for an attestation, and if the index does not say it. */
  readonly platform: string | null;
}

/** Returns every digest that a pod may report, without duplicates: that of the index first. */
export function digestsIn({ digest, manifests }: ResolvedImage): readonly string[] {
  return [...new Set([digest, ...manifests.map((one) => one.digest)])];
}

/** Returns the platforms of an index, sorted; empty for the manifest of one image, which does not name its own. */
export function platformsIn({ manifests }: ResolvedImage): readonly string[] {
  return [...new Set(manifests.flatMap(({ platform }) => platform ?? []))].toSorted();
}
