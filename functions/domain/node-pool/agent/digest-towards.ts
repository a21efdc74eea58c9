import { digestOf } from "../classify.ts";

/**
 * The digest of what a node has, as far as it is asked for: of an image for several architectures a node runs a digest of its
 * own, and its reference still names the one that was asked for. bootc-operator takes either for a match.
 */
export function digestTowards(
  has: { readonly image?: string; readonly imageDigest?: string } | null | undefined,
  desiredImage: string,
): string | null {
  const desired = digestOf(desiredImage);
  if (desired !== null && digestOf(has?.image ?? "") === desired) return desired;
  return has?.imageDigest || null;
}

/** Whether what a node has is `image`, a reference by digest. */
export function isImage(has: Parameters<typeof digestTowards>[0], image: string): boolean {
  return digestOf(image) !== null && digestTowards(has, image) === digestOf(image);
}
