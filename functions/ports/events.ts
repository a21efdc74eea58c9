import type { UpdateEventType } from "../domain/news.ts";
import type { PoolEventType } from "../domain/node-pool/news.ts";
import type { WorkloadRef } from "../domain/workload.ts";
import type { PoolRef } from "./node-pools.ts";

/** The detail of every event that Pawl puts on the bus. The shape is stable: fields are added, never changed. */
export interface UpdateEventDetail {
  readonly cluster: string;
  readonly workload: WorkloadRef;
  /** null where no execution is involved. */
  readonly execution: string | null;
  /** The tag that ran before, and the tag this event is about; null where there is none or it is not known. */
  readonly currentVersion: string | null;
  readonly version: string | null;
  /** The whole reference this event is about. */
  readonly image: string | null;
  /** A sentence for people; null where the type says everything. */
  readonly reason: string | null;
}

/** The detail of every event about a node pool. As stable as the other. */
export interface PoolEventDetail {
  readonly cluster: string;
  readonly nodePool: PoolRef;
  /** The node of it that this is about; null where it is about all of them. */
  readonly node: string | null;
  /** null where no execution is involved. */
  readonly execution: string | null;
  /** What the nodes are to run, by digest, and that digest; null while it is not known. */
  readonly image: string | null;
  readonly digest: string | null;
  /** A sentence for people, at most 1,024 characters; null where the type says everything. */
  readonly reason: string | null;
}

/** What happens, told to whoever listens (source `pawl`). May throw `Throttled` or `Unreachable`. */
export interface Events {
  publish(type: UpdateEventType, detail: UpdateEventDetail): Promise<void>;

  /** A `reason` that is longer is cut off: a pool may have a thousand nodes, and each of them something to complain of. */
  publishPool(type: PoolEventType, detail: PoolEventDetail): Promise<void>;
}
