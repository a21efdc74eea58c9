import { isSameRepository, withoutDigest } from "../../image/reference.ts";
import type { Workload } from "../workload.ts";
import type { Release, Snapshot } from "./release.ts";

type Found =
  | { readonly kind: "found"; readonly snapshot: Snapshot }
  | { readonly kind: "missing"; readonly reason: string };

/** A larger pod template is not kept: the API server stores 1.5 MiB, and the copy has more fields. */
export const maxKeptBytes = 1024 * 1024;

/**
 * Finds the revision that has the pod template that was recorded. The record alone chooses nothing: who may write it must not have another
 * template restored, nor one whose images are of repositories that the workload does not track.
 */
export function findSnapshot(
  workload: Workload,
  snapshots: readonly Snapshot[],
  { revision, hash }: Pick<Release, "revision" | "hash">,
): Found {
  const named = snapshots.find((one) => one.revision === revision || one.revision.endsWith(`-${hash}`));
  const snapshot = named?.hash === hash ? named : snapshots.find((one) => one.hash === hash);
  if (snapshot === undefined)
    return missing(
      named === undefined
        ? `has no snapshot any more: ${revision} was deleted, and Pawl has no copy, as of a template above 1 MiB; increase spec.revisionHistoryLimit`
        : `has no snapshot: ${named.revision} has another pod template than was recorded`,
    );
  const foreign = foreignImage(workload, snapshot);
  if (foreign === undefined) return { kind: "found", snapshot };
  return missing(`is not restored: its image ${foreign} is of another repository than ${workload.image} runs`);
}

/** Returns an image of a tracked container in the snapshot that is of another repository than that container runs now. */
function foreignImage({ image: own, digests }: Workload, { image, template }: Snapshot): string | undefined {
  if (!isSameRepository(own ?? "", image ?? "")) return image ?? "none";
  const { containers, initContainers = [] } = template.spec;
  const tracked = new Map(digests?.containers.map((one) => [one.name, one.image]));
  return [...containers, ...initContainers].find(({ name, image: before = "" }) => {
    const now = tracked.get(name);
    return now !== undefined && !isSameRepository(withoutDigest(now), withoutDigest(before));
  })?.image;
}

function missing(reason: string): Found {
  return { kind: "missing", reason };
}
