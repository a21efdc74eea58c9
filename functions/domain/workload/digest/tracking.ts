import { parseCommaList } from "../../text/comma-list.ts";

/** A container whose image is tracked by the digest of its tag. */
export interface TrackedContainer {
  readonly name: string;
  /** Its image by tag, also while a rollback has pinned it to a digest. */
  readonly image: string;
  /** The digest beside its tag: a restart writes the new one. Absent if it has none, or a rollback pinned it. */
  readonly digest?: string;
  /** It runs the image that an update by tag moves, but is not one of the containers that Pawl manages. */
  readonly excludedFromTagUpdates?: true;
}

/** Digests (`algorithm:hex`) by container. */
export type Digests = Readonly<Record<string, string>>;

/** By container: the digest that its tag resolved to, and those of the manifests of its index. A pod may report any of them. */
export type Manifests = Readonly<Record<string, readonly string[]>>;

/** What is tracked by digest, and the digests known of it. */
export interface DigestTracking {
  readonly containers: readonly TrackedContainer[];
  /** The digests that the tags resolved to at the last restart; empty if nothing is recorded. */
  readonly deployed: Digests;
  /** Of containers that Pawl pinned to another digest than that of their tag. */
  readonly pinned?: Digests;
  /** The digests that kubernetes-image-updater recorded, and those beside tags: a tag that still resolves to one needs no restart either. */
  readonly external?: Digests;
  /** The digests that it ran before, oldest first. */
  readonly previous: readonly Digests[];
  /** Previous digests that the tags resolve to again, at every poll since then. */
  readonly reverted: { readonly since: Date; readonly digests: Digests } | null;
  /**
   * What ready pods reported, before the last restart and after each update: only that is pinned. Absent before an update has
   * recorded it.
   */
  readonly ran?: Digests;
  /** Of the update in flight, as its poll read them. */
  readonly manifests?: Manifests;
  /** What to do if nothing is recorded: restart, or adopt what the pods run. */
  readonly initialDigestPolicy: "restart" | "adopt";
  /** It is being deleted, and only the finalizer of kubernetes-image-updater blocks it. */
  readonly isBlockedByFinalizer: boolean;
}

/** The digest that one pod reports for one of its containers. */
export interface ContainerDigest {
  readonly container: string;
  readonly digest: string;
  /** The image in the spec of its pod. Absent if it has no such container. */
  readonly image?: string;
  /** Its pod is not ready. */
  readonly isUnready?: true;
  /** It is that of the image's configuration, which no registry serves by digest: the runtime knows no other. */
  readonly isConfig?: true;
}

interface ContainerSelection {
  /** A comma-separated list of names; if it has any, only these are tracked. */
  readonly track: string | undefined;
  readonly ignore: string | undefined;
}

/** Returns the containers tracked by digest: those that are named, or all that are not ignored. */
export function trackedContainers(names: readonly string[], { track, ignore }: ContainerSelection): readonly string[] {
  const [tracked, ignored] = [parseCommaList(track), parseCommaList(ignore)];
  if (tracked.length > 0) return names.filter((name) => tracked.includes(name));
  return names.filter((name) => !ignored.includes(name));
}

/** Returns the names to track that no container has: a mistake that its owner must learn of. */
export function unknownContainers(names: readonly string[], { track }: ContainerSelection): readonly string[] {
  return parseCommaList(track).filter((name) => !names.includes(name));
}
