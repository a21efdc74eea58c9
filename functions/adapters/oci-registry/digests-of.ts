import { fetchManifest, invalid, isDigest } from "./manifest.ts";
import type { Asking } from "./settings.ts";

/**
 * The digest of the manifest's own bytes, and after it that of every manifest that it names, where it is an index or a
 * manifest list. Each once.
 */
export async function digestsOf(asking: Asking): Promise<readonly string[]> {
  const { digest, fields } = await fetchManifest(asking);
  return [...new Set([digest, ...childrenOf(fields, asking)])];
}

function childrenOf({ manifests = [] }: Readonly<Record<string, unknown>>, asking: Asking): readonly string[] {
  const children = Array.isArray(manifests) ? manifests.map(digestIn) : [null];
  if (children.every(isDigest)) return children;
  throw invalid(asking, "the answer is an index whose manifests have no digests");
}

function digestIn(descriptor: unknown): unknown {
  return typeof descriptor === "object" && descriptor !== null && "digest" in descriptor ? descriptor.digest : null;
}
