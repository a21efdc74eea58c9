import { runningImage } from "../../functions/domain/bookkeeping.ts";
import { parseImageReference, sameImage, tagOf, withoutDigest } from "../../functions/domain/image-reference.ts";
import type { TrackedContainer } from "../../functions/domain/tracking.ts";
import type { InFlight, Workload } from "../../functions/domain/workload.ts";

/**
 * What runs, or is asked to run: the tag, the digest, or both (`prod@sha256:…`) where a tag is followed by digest or pinned to
 * one; null where nothing is known.
 */
export function runningVersion(workload: Workload): string | null {
  const followed = leadingContainer(workload);
  const running = workload.isPinned || followed === null ? runningImage(workload) : followed.image;
  const image = parseImageReference(running ?? "");
  if ("kind" in image) return running;
  const digest = image.digest ?? workload.digests?.last[followed?.name ?? ""] ?? null;
  return joined(image.tag ?? (followed === null ? null : "latest"), digest);
}

/** What ran until an update began. In mid-flight the target is asked for already, and its digest is the last that is recorded. */
export function versionBefore(workload: Workload, { phase, previousImage, targetImage }: InFlight): string | null {
  const { bookkeeping, digests } = workload;
  if (phase !== "restart") return bookkeeping.currentVersion ?? (tagOf(previousImage ?? "") || null);
  const restarted = digests?.containers.find(({ image }) => sameImage(image, withoutDigest(targetImage)));
  return joined(tagOf(targetImage), digests?.former.at(-1)?.[restarted?.name ?? ""] ?? null);
}

/** Of those that are followed by digest the one that the workload is known by, or the first; null where none is. */
function leadingContainer({ digests, image, source }: Workload): TrackedContainer | null {
  const containers = digests?.containers ?? [];
  const own = containers.find((one) => one.image === withoutDigest(image ?? ""));
  return own ?? (source === null ? containers[0] : undefined) ?? null;
}

function joined(tag: string | null, digest: string | null): string | null {
  return tag === null || digest === null ? (tag ?? digest) : `${tag}@${digest}`;
}
