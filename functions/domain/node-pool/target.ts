import { formatImageReference, parseImageReference } from "../image-reference.ts";
import { type Invalid, invalid } from "../invalid.ts";
import { fromEpoch } from "../time.ts";
import { digestOf } from "./classify.ts";
import type { NodePool, NodePoolStatus } from "./types.ts";

/** Reads the reference of an OS image. As with bootc-operator it is written in full: a name such as `myos:latest` is none. */
export function parseOsImage(text: string): { readonly kind: "image"; readonly digest: string | null } | Invalid {
  const image = parseImageReference(text);
  if ("kind" in image) return image;
  if (formatImageReference(image) !== text)
    return invalid(text, `is not written in full: ${formatImageReference(image)}`);
  return { kind: "image", digest: image.digest };
}

/** The image by the digest that was found: `quay.io/example/myos@sha256:…`. */
export function pinned(imageRef: string, digest: string): string {
  const image = parseImageReference(imageRef);
  return "kind" in image ? `${imageRef}@${digest}` : formatImageReference({ ...image, tag: null, digest });
}

/** What a pool's nodes are to run, by digest; null before its reference was resolved for the first time. */
export function targetImage({ spec, status }: NodePool): string | null {
  const digest = digestOf(spec.imageRef);
  if (digest !== null) return pinned(spec.imageRef, digest);
  return status.targetDigest === null ? null : pinned(status.targetRef ?? spec.imageRef, status.targetDigest);
}

/** Whether a registry is to be asked: never for a digest, at once for a new reference, and else when it is time again. */
export function isResolutionDue({ spec, status, generation }: NodePool, now: Date): boolean {
  if (digestOf(spec.imageRef) !== null) return false;
  const isUnseen = status.observedGeneration !== generation || status.tagProblem === null;
  const isNew = status.targetRef !== spec.imageRef && isUnseen;
  return isNew || status.nextTagResolution === null || now.getTime() >= status.nextTagResolution.getTime();
}

type Target = Pick<NodePoolStatus, "targetDigest" | "targetRef" | "nextTagResolution" | "tagProblem">;

/** What a registry said of a tag; `ref` is the whole reference that it was asked for. */
export type Resolution =
  | { readonly kind: "resolved"; readonly ref: string; readonly digest: string }
  | { readonly kind: "failed"; readonly ref: string; readonly reason: string };

/** The pool with its next target, and all else as it was; `resolution` is null where no registry was asked. */
export function aimed(pool: NodePool, resolution: Resolution | null, now: Date, intervalSeconds: number): NodePool {
  return { ...pool, status: { ...pool.status, ...nextTarget(pool, resolution, now, intervalSeconds) } };
}

/**
 * A failure keeps the former target, which goes on rolling out, and is asked again when it is time. An answer about a reference
 * that somebody has changed since is none.
 */
function nextTarget(
  { spec, status }: NodePool,
  resolution: Resolution | null,
  now: Date,
  intervalSeconds: number,
): Target {
  const digest = digestOf(spec.imageRef);
  if (digest !== null) {
    return { targetDigest: digest, targetRef: spec.imageRef, nextTagResolution: null, tagProblem: null };
  }
  const { targetDigest, targetRef, nextTagResolution, tagProblem } = status;
  if (resolution?.ref !== spec.imageRef) return { targetDigest, targetRef, nextTagResolution, tagProblem };
  const next = fromEpoch(now.getTime() + (intervalSeconds - earlySeconds(intervalSeconds)) * 1000);
  if (resolution.kind === "failed") {
    return { targetDigest, targetRef, nextTagResolution: next, tagProblem: resolution.reason };
  }
  return { targetDigest: resolution.digest, targetRef: spec.imageRef, nextTagResolution: next, tagProblem: null };
}

/**
 * So much before its interval is over a tag is due again. A poll begins up to a fifth of its own interval late, at most five
 * minutes, and writes what it found somewhat later: without this every second poll would come just too soon.
 */
function earlySeconds(intervalSeconds: number): number {
  return Math.min(Math.floor(intervalSeconds / 4), 360);
}
