/** Identifies one chunk of the work list of a poll. */
export interface ChunkKey {
  readonly poll: string;
  readonly bucket: number;
  /** From 0. */
  readonly chunk: number;
}

/**
 * The work lists of a cluster's polls: what a poll defers, in compressed chunks. They contain no secret values. Every method may
 * throw `Unreachable`, `Throttled` or `Forbidden`.
 */
export interface WorkList {
  /** Stores a chunk, or replaces it. */
  put(key: ChunkKey, content: Uint8Array): Promise<void>;

  /** Throws `WorkListLost` if there is no such chunk; S3 throws `Forbidden` for it to who may not list the bucket. */
  get(key: ChunkKey): Promise<Uint8Array>;

  /** Deletes chunks, also those that do not exist. */
  delete(keys: readonly ChunkKey[]): Promise<void>;
}

/** A chunk does not exist (any more): the poll has ended, or took longer than its work list is kept. */
export class WorkListLost extends Error {
  override readonly name = "WorkListLost";
}
