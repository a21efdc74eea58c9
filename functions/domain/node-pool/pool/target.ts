import { formatImageReference, isSameRepository, parseImageReference } from "../../image/reference.ts";
import { type ParseError, invalid } from "../../text/parse-error.ts";
import { parseRfc3339, secondsAfter } from "../../text/rfc3339.ts";
import { parseDigest } from "../node/node-state.ts";
import { findRollbackImage } from "../halt/rollback.ts";
import type { BootcNode } from "../node/bootc-node.ts";
import type { NodePool, NodePoolStatus } from "./node-pool.ts";

/** Parses the reference of an OS image. As in bootc-operator it must be fully qualified: `myos:latest` is invalid. */
export function parseOsImage(text: string): { readonly kind: "image"; readonly digest: string | null } | ParseError {
  const image = parseImageReference(text);
  if ("kind" in image) return image;
  if (formatImageReference(image) !== text)
    return invalid(text, `is not fully qualified: ${formatImageReference(image)}`);
  return { kind: "image", digest: image.digest };
}

/** Pins an image to a digest: `quay.io/example/myos@sha256:…`. */
export function pinPoolImage(imageRef: string, digest: string): string {
  const image = parseImageReference(imageRef);
  return "kind" in image ? `${imageRef}@${digest}` : formatImageReference({ ...image, tag: null, digest });
}

/** Returns the image that the nodes of a pool should run, by digest; null before its reference was first resolved. */
export function computeTargetImage(pool: NodePool): string | null {
  const image = computeRequestedImage(pool);
  return image === null ? null : (findRollbackImage(pool, image) ?? image);
}

/** Reports whether a pool goes back from the image that its spec names, or has gone back. */
export function isGoingBack(pool: NodePool): boolean {
  return computeTargetImage(pool) !== computeRequestedImage(pool);
}

/**
 * Returns the image that the spec of a pool names, by digest, also if it has failed; null before it was resolved. A recorded reference
 * of another repository counts for nothing: a role that may write the status must not choose an image.
 */
export function computeRequestedImage({ spec, status }: NodePool): string | null {
  const digest = parseDigest(spec.imageRef);
  if (digest !== null) return pinPoolImage(spec.imageRef, digest);
  const { targetDigest, targetRef } = status;
  if (targetDigest === null || !isSameRepository(targetRef ?? spec.imageRef, spec.imageRef)) return null;
  return pinPoolImage(spec.imageRef, targetDigest);
}

/**
 * Returns the image that a node should run. A rollback moves only nodes that run the failed image: one that never took
 * it stays on its image, although it may be an older one.
 */
export function chooseNodeImage(
  { desiredImage, bootedDigest }: BootcNode,
  image: string,
  failed: string | null,
): string {
  const isUnaffected = failed !== null && bootedDigest !== null && bootedDigest !== failed;
  if (!isUnaffected || parseDigest(desiredImage) === parseDigest(image)) return image;
  return pinPoolImage(image, bootedDigest);
}

/**
 * Reports whether the tag has to be resolved: never for a digest, at once for a new reference, otherwise at the next
 * interval.
 */
export function isResolutionDue({ spec, status, generation }: NodePool, now: Date): boolean {
  if (parseDigest(spec.imageRef) !== null) return false;
  const isUnseen = status.observedGeneration !== generation || status.tagProblem === null;
  const isNew = status.targetRef !== spec.imageRef && isUnseen;
  return isNew || status.nextTagResolution === null || now.getTime() >= status.nextTagResolution.getTime();
}

type TargetStatus = Pick<
  NodePoolStatus,
  "targetDigest" | "targetSince" | "targetRef" | "nextTagResolution" | "tagProblem"
>;

/** The result of resolving a tag. `ref` is the whole reference that was resolved. */
export type Resolution =
  | {
      readonly kind: "resolved";
      readonly ref: string;
      readonly digest: string;
      /** When the registry received the digest, RFC3339; absent if it does not say. */
      readonly pushedAt?: string;
    }
  | { readonly kind: "failed"; readonly ref: string; readonly reason: string };

/** Returns the pool with its next target. `resolution` is null if no registry was asked. */
export function withTarget(
  pool: NodePool,
  resolution: Resolution | null,
  now: Date,
  intervalSeconds: number,
): NodePool {
  return { ...pool, status: { ...pool.status, ...computeTarget(pool, resolution, now, intervalSeconds) } };
}

/**
 * A failure keeps the previous target, whose rollout continues, until the next interval. A resolution of a reference
 * that has changed since is ignored.
 */
function computeTarget(
  { spec, status }: NodePool,
  resolution: Resolution | null,
  now: Date,
  intervalSeconds: number,
): TargetStatus {
  const digest = parseDigest(spec.imageRef);
  const isOfAge = (spec.gatePolicy.minimumReleaseAgeSeconds ?? 0) === 0;
  const sinceOf = (found: string, pushedAt = "") => {
    const known = found === status.targetDigest ? status.targetSince : null;
    return isOfAge ? null : (known ?? parseRfc3339(pushedAt) ?? now);
  };
  if (digest !== null) {
    const target = { targetDigest: digest, targetSince: sinceOf(digest), targetRef: spec.imageRef };
    return { ...target, nextTagResolution: null, tagProblem: null };
  }
  const { targetDigest, targetSince, targetRef, nextTagResolution, tagProblem } = status;
  const before = { targetDigest, targetSince, targetRef };
  if (resolution?.ref !== spec.imageRef) return { ...before, nextTagResolution, tagProblem };
  const next = secondsAfter(now, intervalSeconds - earlySeconds(intervalSeconds));
  if (resolution.kind === "failed") {
    return { ...before, nextTagResolution: next, tagProblem: resolution.reason };
  }
  const since = sinceOf(resolution.digest, resolution.pushedAt);
  const found = { targetDigest: resolution.digest, targetSince: since, targetRef: spec.imageRef };
  return { ...found, nextTagResolution: next, tagProblem: null };
}

/**
 * Returns how early a tag is due. A poll starts up to a fifth of its interval late, at most 5 minutes, and writes later
 * still. Without this, every second poll would come just before the tag is due.
 */
function earlySeconds(intervalSeconds: number): number {
  return Math.min(Math.floor(intervalSeconds / 4), 360);
}
