/** A container whose image is followed by the digest behind its tag. */
export interface TrackedContainer {
  readonly name: string;
  /** Its image as it is followed: by its tag, also while a rollback has pinned it to a digest. */
  readonly image: string;
  /** It runs what an update by tag moves, and is itself not among the containers that move. */
  readonly stays?: true;
}

/** Digests (`algorithm:hex`) by container. */
export type Digests = Readonly<Record<string, string>>;

/** What is followed by digest, and what is known of it. */
export interface DigestTracking {
  readonly containers: readonly TrackedContainer[];
  /** What stood behind each tag when the workload was restarted last; empty at first sight. */
  readonly last: Digests;
  /** What it ran before that and has left, oldest first. */
  readonly former: readonly Digests[];
  /** Former digests that every look since then has shown again. */
  readonly returning: { readonly since: Date; readonly digests: Digests } | null;
  /** What is done where nothing was recorded: restart, or take what its pods run for the last. */
  readonly firstSight: "restart" | "baseline";
  /** It is being deleted, and only the finalizer of kubernetes-image-updater is in the way. */
  readonly isHeldBack: boolean;
}

/** What one pod says that a container of it runs. */
export interface ContainerDigest {
  readonly container: string;
  readonly digest: string;
}
