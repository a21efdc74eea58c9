/** What `policy.onRevert: reapply` is decided by. */
export interface Reverts {
  /** The version of the last update that Pawl finished. */
  readonly version: string;
  /** The images that this update, and those of Pawl before it, have replaced. Newest last. */
  readonly replaced: readonly string[];
  /** Newest last. */
  readonly reapplied: readonly Reapplied[];
}

/** A version that was applied again, because its owner had set back an image. */
export interface Reapplied {
  readonly version: string;
  /** What the owner had set. */
  readonly image: string;
  readonly at: Date;
  /** Who set it; absent if nothing shows that. */
  readonly owner?: string;
}
