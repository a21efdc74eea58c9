import type { FoundGate } from "../domain/gates/closed-gate.ts";
import type { Resolution } from "../domain/node-pool/pool/target.ts";
import type { PoolRef } from "./node-pools.ts";

/** The input of the function `record-pool`; plain JSON. */
export interface RecordPoolInput {
  readonly cluster: string;
  readonly pool: PoolRef;
  /** The result of resolving the pool's tag; null if no registry was asked. */
  readonly resolution: Resolution | null;
  /** The gates that are closed; absent if there is none. */
  readonly gates?: readonly FoundGate[];
}

/**
 * Records what a poll found out about a node pool. Separate from the poll, which only reads: a deployment may record
 * with another function, which has other permissions in the cluster.
 */
export interface PoolCheckRecorder {
  /**
   * Writes the pool's current status and emits Events about the changes. Returns "recorded", or "none" if nothing
   * changed. Throws `Conflict` if the pool was changed meanwhile or was deleted, and the errors of `NodePools` and
   * `Events`.
   */
  record(pool: PoolRef, resolution: Resolution | null, gates?: readonly FoundGate[]): Promise<"recorded" | "none">;
}
