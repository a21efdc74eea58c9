import { isDigestPinned, isSameImage, pinToDigest } from "../../image/reference.ts";
import { containerDigests } from "../config/tracking.ts";
import type { Digests } from "../digest/tracking.ts";
import { isRestart, type Target } from "../target/target.ts";
import type { Workload } from "../workload.ts";

/** What a container pulls when a restart recreates its pods. */
export interface RestartedImage {
  /** null: the containers that run the workload's image. */
  readonly container: string | null;
  readonly image: string;
}

/**
 * Returns what the containers pull that Pawl restarts: the digests that were chosen, or else what their tags resolve to then. What has a digest in
 * the pod template, and keeps it, pulls nothing else.
 */
export function restartedImages(
  { digests: tracking, image: own }: Workload,
  target: Target,
  digests: Digests | null = null,
): readonly RestartedImage[] {
  if (!isRestart(target)) return [];
  const containers = tracking?.containers ?? [];
  const isTracked = own === null || containers.some(({ image }) => isSameImage(image, own));
  const byTag = isTracked || isDigestPinned(own) ? [] : [{ container: null, image: own }];
  if (target.kind !== "digest") {
    const keepsDigest = (name: string) => tracking?.pinned?.[name] !== undefined;
    const pulled = containers.filter(({ name, digest }) => digest === undefined && !keepsDigest(name));
    return [...byTag, ...pulled.map(({ name, image }) => ({ container: name, image }))];
  }
  const chosen = containerDigests(digests) ?? {};
  const restarted = containers.map(({ name, image }) => {
    const digest = chosen[name];
    return { container: name, image: digest === undefined ? image : pinToDigest(image, digest) };
  });
  return [...byTag, ...restarted];
}
