import { parseDigest } from "../node/node-state.ts";

/**
 * Returns the digest of an image on a node, compared with the desired one. For a multi-architecture image a node runs
 * the digest of its own manifest, and its reference still names the index. Either matches, as in bootc-operator.
 */
export function matchDigest(
  has: { readonly image?: string; readonly imageDigest?: string } | null | undefined,
  desiredImage: string,
): string | null {
  const desired = parseDigest(desiredImage);
  if (desired !== null && parseDigest(has?.image ?? "") === desired) return desired;
  return has?.imageDigest || null;
}

/** Reports whether an image on a node is `image`, a reference by digest. */
export function isSameNodeImage(has: Parameters<typeof matchDigest>[0], image: string): boolean {
  return parseDigest(image) !== null && matchDigest(has, image) === parseDigest(image);
}
