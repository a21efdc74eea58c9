import type { Resolution } from "../domain/node-pool/target.ts";
import type { PoolRef } from "./node-pools.ts";

/** What the function `record-pool` is invoked with; plain JSON. */
export interface RecordPoolInput {
  readonly cluster: string;
  readonly pool: PoolRef;
  /** What a registry said of the pool's tag; null where it was not asked. */
  readonly resolution: Resolution | null;
}

/**
 * What a poll writes down and tells of a node pool. Apart from the poll, which itself only reads: elsewhere it may be done
 * by another function, with other rights in the cluster.
 */
export interface PoolChecks {
  /**
   * Writes the pool's status as it is by now, and tells what is new about it: "recorded", or "none" where nothing is. Throws
   * `Conflict` where the pool was written to meanwhile or is gone, and what `NodePools` and `Events` throw.
   */
  record(pool: PoolRef, resolution: Resolution | null): Promise<"recorded" | "none">;
}
