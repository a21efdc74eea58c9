import { platformsIn, type ResolvedImage } from "./resolved-image.ts";

/** The nodes that the pods of a workload may run on, as its pod template says. null: any. */
export interface NodePlatforms {
  readonly os: readonly string[] | null;
  readonly architectures: readonly string[] | null;
}

/** What nearly all nodes are. An index that has both is not compared with that of the image that runs. */
const common = ["linux/amd64", "linux/arm64"] as const;

/** Returns what only the index of the image that runs can tell: null if it need not be read. */
export function platformVerdict(
  chosen: ResolvedImage,
  nodes: NodePlatforms | undefined,
): { readonly kind: "published" } | { readonly kind: "missing"; readonly platforms: readonly string[] } | null {
  const published = platformsIn(chosen);
  if (published.length === 0) return { kind: "published" };
  const wanted = wantedPlatforms(nodes);
  if (wanted !== null && !wanted.some((one) => published.includes(one))) return { kind: "missing", platforms: wanted };
  const compared = wanted ?? common;
  return compared.every((one) => published.includes(one)) ? { kind: "published" } : null;
}

/** Returns the platforms that the image that runs has, its pods may need, and the chosen one lacks. */
export function lostPlatforms(
  chosen: ResolvedImage,
  running: ResolvedImage,
  nodes: NodePlatforms | undefined,
): readonly string[] {
  const published = platformsIn(chosen);
  const wanted = wantedPlatforms(nodes);
  return platformsIn(running).filter((one) => !published.includes(one) && (wanted?.includes(one) ?? true));
}

/** Returns the digests of the images that the nodes may run, without duplicates: of all platforms if the pod template names none. */
export function neededManifests(
  { digest, manifests }: ResolvedImage,
  nodes: NodePlatforms | undefined,
): readonly string[] {
  const images = manifests.filter(({ platform }) => platform !== null);
  if (images.length === 0) return [digest];
  const wanted = wantedPlatforms(nodes);
  const needed = images.filter(({ platform }) => wanted?.includes(String(platform)) ?? true);
  return [...new Set((needed.length === 0 ? images : needed).map((one) => one.digest))];
}

/** Returns the platforms of the nodes; null if the pod template does not name the architectures. */
function wantedPlatforms(nodes: NodePlatforms | undefined): readonly string[] | null {
  const { os, architectures } = nodes ?? { os: null, architectures: null };
  if (architectures === null) return null;
  return architectures.flatMap((architecture) => (os ?? ["linux"]).map((one) => `${one}/${architecture}`));
}
