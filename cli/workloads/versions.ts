import { runningImage } from "../../functions/domain/workload/record/current-version.ts";
import { parseImageReference, isSameImage, tagOf, withoutDigest } from "../../functions/domain/image/reference.ts";
import { keepsImages } from "../../functions/domain/workload/target/target.ts";
import type { TrackedContainer } from "../../functions/domain/workload/digest/tracking.ts";
import type { InFlight } from "../../functions/domain/workload/update/in-flight.ts";
import type { Workload } from "../../functions/domain/workload/workload.ts";

/**
 * Returns the running or requested version: the tag, the digest, or both (`prod@sha256:…`) if a tag is tracked by digest or pinned;
 * null if it is unknown.
 */
export function runningVersion(workload: Workload): string | null {
  const tracked = leadingContainer(workload);
  const running = workload.isPinnedByPawl || tracked === null ? runningImage(workload) : tracked.image;
  const image = parseImageReference(running ?? "");
  if ("kind" in image) return running;
  const digest = image.digest ?? workload.digests?.deployed[tracked?.name ?? ""] ?? null;
  return joinVersion(image.tag ?? (tracked === null ? null : "latest"), digest);
}

/** Returns the version before an update. During a restart the target is already recorded as the last digest. */
export function versionBefore(workload: Workload, { phase, previousImage, target }: InFlight): string | null {
  const { updateRecord, digests } = workload;
  if (phase !== "restart") return updateRecord.currentVersion ?? (tagOf(previousImage ?? "") || null);
  if (keepsImages(target)) return runningVersion(workload);
  const restarted = digests?.containers.find(({ image }) => isSameImage(image, target.image));
  return joinVersion(tagOf(target.image), digests?.previous.at(-1)?.[restarted?.name ?? ""] ?? null);
}

/** Returns the workload's main container if it is tracked by digest, or the first that is; null if none is. */
function leadingContainer({ digests, image, source }: Workload): TrackedContainer | null {
  const containers = digests?.containers ?? [];
  const own = containers.find((one) => one.image === withoutDigest(image ?? ""));
  return own ?? (source === null ? containers[0] : undefined) ?? null;
}

function joinVersion(tag: string | null, digest: string | null): string | null {
  return tag === null || digest === null ? (tag ?? digest) : `${tag}@${digest}`;
}
