import type { ResolvedImage } from "../../functions/domain/image/resolved-image.ts";

/** Returns an image with these digests, that of its index first, and a manifest `sha256:PLATFORM` for each platform. */
export function asResolved(
  [digest = "", ...others]: readonly string[],
  platforms: readonly string[] = [],
): ResolvedImage {
  const known = platforms.map((platform) => ({ digest: `sha256:${platform}`, platform }));
  return { digest, manifests: [...others.map((one) => ({ digest: one, platform: null })), ...known] };
}
