import { isSameImage, pinToDigest, versionOf } from "../../image/reference.ts";

/** What an update brings a workload to. `image` is what its container runs then; beside `digest` it has only a tag. */
export type Target =
  | {
      readonly kind: "image";
      readonly image: string;
      /** What its tag resolved to when it was chosen: what is checked, and what is healthy. Absent if no registry was asked. */
      readonly digest?: string;
      /** What the index of that digest lists for platforms: a pod may report one of these. Absent if it is none. */
      readonly manifests?: readonly string[];
      /** The container runs tag and digest; otherwise the tag alone. */
      readonly pinned?: true;
    }
  /** The tag resolves to another digest: all pods are recreated, and pull it. */
  | { readonly kind: "digest"; readonly image: string; readonly digest: string }
  /** The configuration has changed: all pods are recreated from the same image. `digest` is of all of it. */
  | { readonly kind: "config"; readonly image: string; readonly digest: string }
  /** A person asked for it: all pods are recreated from the same image. `request` identifies the request. */
  | { readonly kind: "restart"; readonly image: string; readonly request: string }
  /** The whole pod template of an earlier release is restored. */
  | { readonly kind: "release"; readonly image: string; readonly number: number };

export const targetKinds = ["image", "digest", "config", "restart", "release"] as const satisfies Target["kind"][];

/** A target with another tag. */
export type ImageTarget = Extract<Target, { readonly kind: "image" }>;

export type ReleaseTarget = Extract<Target, { readonly kind: "release" }>;

/** A target that recreates all pods and moves no tag. */
export type RestartTarget = Extract<Target, { readonly kind: "digest" | "config" | "restart" }>;

/** Reports whether a target moves no tag: all pods are recreated. */
export function isRestart(target: Target): target is RestartTarget {
  return target.kind === "digest" || keepsImages(target);
}

/** Reports whether all pods are recreated from the images that they run: no digest changes. */
export function keepsImages({ kind }: Target): boolean {
  return kind === "config" || kind === "restart";
}

export function isSameTarget(one: Target, other: Target): boolean {
  return one.kind === other.kind && isSameImage(one.image, other.image) && identityOf(one) === identityOf(other);
}

/** Returns what tells targets of one kind and image from each other; null if nothing does. */
function identityOf(target: Target): string | number | null {
  if (target.kind === "image") return null;
  if (target.kind === "restart") return target.request;
  return target.kind === "release" ? target.number : target.digest;
}

/** Returns the text by which names and hashes identify a target. It is neither parsed nor shown to people. */
export function targetKey(target: Target): string {
  if (target.kind === "restart") return `${target.image}@restart:${target.request}`;
  return target.kind === "digest" || target.kind === "config" ? pinToDigest(target.image, target.digest) : target.image;
}

/** Returns the version that fails or succeeds with a target: the tag, with what is new if that is a digest or the configuration. */
export function versionOfTarget(target: Target): string {
  return versionOf(target.kind === "restart" ? target.image : targetKey(target));
}

/** Returns the reference that the container of a target runs: a new digest is pulled by the tag. */
export function writtenImage(target: Target): string {
  if (target.kind !== "image" || target.digest === undefined || !target.pinned) return target.image;
  return pinToDigest(target.image, target.digest);
}

/** Returns the image of a target for people: with the digest if that is what is new, or beside its tag. */
export function imageOfTarget(target: Target): string {
  return target.kind === "digest" ? targetKey(target) : writtenImage(target);
}
